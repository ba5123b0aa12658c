import { type Range, SAMPLE_RATE } from '../../time.ts';
import type { AudioClip, AudioPlan } from '../audio/audio-plan.ts';
import { clipPass } from '../audio/clip-pass.ts';

const NORMAL_SPEED = 1_000_000;

/** How music goes down before a voice, stays down after it and comes back, in samples. (R28) */
export const VOICE_DUCK = { down: 0.08 * SAMPLE_RATE, stays: 0.25 * SAMPLE_RATE, up: 0.4 * SAMPLE_RATE };

/** The part of a source that is searched for voice, in samples. */
export interface VoicePart extends Range<number> {
  readonly source: number;
}

/** A clip whose voice may duck music, and the part of its source that it plays. */
interface VoiceClip {
  readonly clip: AudioClip;
  readonly part: VoicePart;
}

/** The clips whose voice may duck music: those that play near music. */
export function voiceClips({ clips, duckDb }: Pick<AudioPlan, 'clips' | 'duckDb'>): VoiceClip[] {
  if (duckDb === 0) return [];
  const music = clips.filter(({ bus }) => bus === 'music');
  return clips.flatMap((clip) => {
    if (clip.bus !== 'voice' || typeof clip.source !== 'number' || !music.some((other) => meets(other, clip)))
      return [];
    return [{ clip, part: { source: clip.source, ...playedPart(clip) } }];
  });
}

/** The part of its source that a clip plays: its trim, limited by its slot. */
function playedPart(clip: AudioClip): Range<number> {
  const { from, to, heard } = clipPass(clip);
  const read = Math.ceil((heard * clip.speed) / NORMAL_SPEED);
  return { start: from, end: clip.loop ? to : Math.min(to, from + read) };
}

/** Whether speech in one may still duck the other. */
function meets(music: AudioClip, voice: AudioClip): boolean {
  const { down, stays, up } = VOICE_DUCK;
  return voice.slot.start - down < music.slot.end && voice.slot.end + stays + up > music.slot.start;
}
