import type { AudioClip, AudioPlan } from '../plan/audio/audio-plan.ts';
import { clipPass, passAt } from '../plan/audio/clip-pass.ts';
import { VOICE_DUCK, type VoicePart, voiceClips } from '../plan/envelope/voice-clips.ts';
import type { Range } from '../time.ts';

const NORMAL_SPEED = 1_000_000;
/** For how long music is down at least, in samples. */
const DOWN_FOR = VOICE_DUCK.down + VOICE_DUCK.stays + VOICE_DUCK.up;

/** Looks for the voice in a part of a source. @returns when there is voice, in samples from its start. */
type FindVoice = (part: VoicePart) => Promise<readonly Range<number>[]>;

/** When there is voice on the timeline, in samples; in no order. Only parts that play near music are searched, each of them once. */
export async function voiceSlots(
  audio: Pick<AudioPlan, 'clips' | 'duckDb'>,
  find: FindVoice,
): Promise<Range<number>[]> {
  const found = new Map<string, readonly Range<number>[]>();
  const slots: Range<number>[] = [];
  for (const { clip, part } of voiceClips(audio)) {
    const key = `${part.source} ${part.start} ${part.end}`;
    const spans = found.get(key) ?? (await find(part));
    found.set(key, spans);
    for (const slot of spansInSlot(clip, spans)) slots.push(slot);
  }
  return slots;
}

/** Spans of the source, counted from its window's start, where they are heard; in each pass of a loop again. */
function spansInSlot(clip: AudioClip, spans: readonly Range<number>[]): Range<number>[] {
  const { heard } = clipPass(clip);
  // In a shorter loop the level never comes back up, and there may be as many passes as samples.
  if (clip.loop && spans.length > 0 && passAt(clip, 0).end < DOWN_FOR) {
    return [{ start: clip.slot.start, end: clip.slot.start + heard }];
  }
  const slots: Range<number>[] = [];
  for (let at = 0; at < heard; ) {
    const pass = passAt(clip, at);
    const end = Math.min(heard, pass.end);
    for (const span of spans) {
      const start = pass.start + Math.floor((span.start * NORMAL_SPEED) / clip.speed);
      const stop = pass.start + Math.ceil((span.end * NORMAL_SPEED) / clip.speed);
      if (start >= end) break;
      const last = slots.at(-1);
      const slot = { start: clip.slot.start + start, end: clip.slot.start + Math.min(end, stop) };
      // Slots this close are never separate for music; a loop would make millions of them.
      if (last !== undefined && slot.start - last.end < DOWN_FOR) slots[slots.length - 1] = { ...last, end: slot.end };
      else slots.push(slot);
    }
    at = pass.end;
  }
  return slots;
}
