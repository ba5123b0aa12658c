import { micros, type Range, SAMPLE_RATE, sampleAtMicros, samplesFilled } from '../../time.ts';
import type { AudioClip, AudioPlan } from '../model/audio-plan.ts';

/** Which samples of its source a clip plays. */
interface ClipPass {
  readonly from: number;
  readonly to: number;
  /** How much of the slot is heard: all of it where it loops. */
  readonly heard: number;
}

export function clipPass(clip: Pick<AudioClip, 'slot' | 'trim' | 'speed' | 'loop'>): ClipPass {
  const { slot, trim, loop } = clip;
  const slotLength = slot.end - slot.start;
  return {
    from: sampleAtMicros(trim.start),
    to: sampleAtMicros(trim.end),
    heard: loop ? slotLength : Math.min(slotLength, passStart(clip, 1)),
  };
}

/** The samples of its slot, counted from its start, that one pass through a clip's trim fills. */
interface PassSpan {
  /** Counts from 0. */
  readonly pass: number;
  readonly start: number;
  readonly end: number;
}

/** The pass that sample `at` of a clip's slot is in. */
export function passAt(clip: Pick<AudioClip, 'trim' | 'speed'>, at: number): PassSpan {
  const length = Math.max(1, ((clip.trim.end - clip.trim.start) * SAMPLE_RATE) / clip.speed);
  const near = Math.floor(at / length);
  const pass = passStart(clip, near) > at ? near - 1 : passStart(clip, near + 1) <= at ? near + 1 : near;
  return { pass, start: passStart(clip, pass), end: passStart(clip, pass + 1) };
}

/** Rounded for each pass: the fraction of a sample does not accumulate over passes. */
function passStart({ trim, speed }: Pick<AudioClip, 'trim' | 'speed'>, pass: number): number {
  const length = micros(trim.end - trim.start);
  return length * SAMPLE_RATE < speed ? pass : samplesFilled(micros(pass * length), speed);
}

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
