import { clipPass, passAt } from '../plan/clip-pass.ts';
import type { AudioClip, AudioPlan } from '../plan/render-plan.ts';
import type { Range } from '../time.ts';
import { VOICE_DUCK } from './ducking.ts';

const NORMAL_SPEED = 1_000_000;
/** For how long music is down at least, in samples. */
const DOWN_FOR = VOICE_DUCK.down + VOICE_DUCK.stays + VOICE_DUCK.up;

/** The part of a source whose voice is looked for, in samples. */
export interface VoicePart extends Range<number> {
  readonly source: number;
}

/** Looks for the voice in a part of a source. @returns when there is voice, in samples from its start. */
type FindVoice = (part: VoicePart) => Promise<readonly Range<number>[]>;

/**
 * When there is voice on the timeline, in samples; in no order. Sources are looked into only where music sounds, each part of them
 * once.
 */
export async function voiceSlots(
  { clips, duckDb }: Pick<AudioPlan, 'clips' | 'duckDb'>,
  find: FindVoice,
): Promise<Range<number>[]> {
  if (duckDb === 0) return [];
  const music = clips.filter(({ bus }) => bus === 'music');
  const found = new Map<string, readonly Range<number>[]>();
  const slots: Range<number>[] = [];
  for (const clip of clips) {
    if (clip.bus !== 'voice' || typeof clip.source !== 'number' || !music.some((other) => meets(other, clip))) continue;
    const part = { source: clip.source, ...playedPart(clip) };
    const key = `${part.source} ${part.start} ${part.end}`;
    const spans = found.get(key) ?? (await find(part));
    found.set(key, spans);
    for (const slot of spansInSlot(clip, spans)) slots.push(slot);
  }
  return slots;
}

/** What a clip plays of its source: its window, as far as its slot has room for it. */
function playedPart(clip: AudioClip): Range<number> {
  const { from, to, heard } = clipPass(clip);
  const read = Math.ceil((heard * clip.speed) / NORMAL_SPEED);
  return { start: from, end: clip.loop ? to : Math.min(to, from + read) };
}

/** Spans of the source, counted from its window's start, where they are heard; in each pass of a loop again. */
function spansInSlot(clip: AudioClip, spans: readonly Range<number>[]): Range<number>[] {
  const { heard } = clipPass(clip);
  // In a shorter loop nothing comes back up, and there may be as many passes as samples.
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
      // What is so close is never apart for music; a loop would make millions of them.
      if (last !== undefined && slot.start - last.end < DOWN_FOR) slots[slots.length - 1] = { ...last, end: slot.end };
      else slots.push(slot);
    }
    at = pass.end;
  }
  return slots;
}

/** Whether what is said in one may still lower the other. */
function meets(music: AudioClip, voice: AudioClip): boolean {
  const { down, stays, up } = VOICE_DUCK;
  return voice.slot.start - down < music.slot.end && voice.slot.end + stays + up > music.slot.start;
}
