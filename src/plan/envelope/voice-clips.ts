import { type Range, SAMPLE_RATE } from '../../time.ts';
import { clipPass } from '../clip-pass.ts';
import type { AudioClip, AudioPlan } from '../render-plan.ts';

const NORMAL_SPEED = 1_000_000;

/** How music goes down before a voice, stays down after it and comes back, in samples. (R28) */
export const VOICE_DUCK = { down: 0.08 * SAMPLE_RATE, stays: 0.25 * SAMPLE_RATE, up: 0.4 * SAMPLE_RATE };

/** The part of a source whose voice is looked for, in samples. */
export interface VoicePart extends Range<number> {
  readonly source: number;
}

/** A clip whose voice may lower music, and what it plays of its source. */
interface VoiceClip {
  readonly clip: AudioClip;
  readonly part: VoicePart;
}

/** The clips whose voice may lower music: those that sound near some. */
export function voiceClips({ clips, duckDb }: Pick<AudioPlan, 'clips' | 'duckDb'>): VoiceClip[] {
  if (duckDb === 0) return [];
  const music = clips.filter(({ bus }) => bus === 'music');
  return clips.flatMap((clip) => {
    if (clip.bus !== 'voice' || typeof clip.source !== 'number' || !music.some((other) => meets(other, clip)))
      return [];
    return [{ clip, part: { source: clip.source, ...playedPart(clip) } }];
  });
}

/** What a clip plays of its source: its window, as far as its slot has room for it. */
function playedPart(clip: AudioClip): Range<number> {
  const { from, to, heard } = clipPass(clip);
  const read = Math.ceil((heard * clip.speed) / NORMAL_SPEED);
  return { start: from, end: clip.loop ? to : Math.min(to, from + read) };
}

/** Whether what is said in one may still lower the other. */
function meets(music: AudioClip, voice: AudioClip): boolean {
  const { down, stays, up } = VOICE_DUCK;
  return voice.slot.start - down < music.slot.end && voice.slot.end + stays + up > music.slot.start;
}
