import { join } from 'node:path';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { renderSound, type SoundRequest, type SoundResult } from '../../../src/engine/sound/render-sound.ts';
import type { AudioClip, AudioPlan } from '../../../src/plan/model/audio-plan.ts';
import { micros, type Samples, samples } from '../../../src/time.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { type DecodedTrack, decodedTrack } from './decoded-track.ts';

/** A clip of the first source: plays from its start at its own speed and level by default. */
export function clipAt(start: number, end: number, changes: Partial<AudioClip> = {}): AudioClip {
  return {
    id: `clip-${start}`,
    path: `/timeline_data/soundtracks/${start}`,
    lane: 'soundtracks',
    bus: 'plain',
    source: 0,
    slot: { start: samples(start), end: samples(end) },
    trim: { start: micros(0), end: micros(3_600_000_000) },
    speed: 1_000_000,
    gain: 1,
    loop: false,
    volumePoints: [],
    denoise: false,
    fadeIn: samples(0),
    fadeOut: samples(0),
    ...changes,
  };
}

/** A plan of the sound alone. */
export function audioPlan(clips: readonly AudioClip[], changes: Partial<AudioPlan> = {}): AudioPlan {
  const totalSamples = Math.max(0, ...clips.map((clip) => clip.slot.end)) as Samples;
  return { totalSamples, bitrateKbps: 192, loudness: null, duckDb: 0, clips, key: '', voices: [], ...changes };
}

let rendered = 0;

/** Renders the plan over the given files and decodes the result. */
export async function rendering(
  audio: AudioPlan,
  files: readonly string[],
  changes: Partial<SoundRequest> = {},
): Promise<{ readonly result: SoundResult; readonly track: DecodedTrack; readonly file: string }> {
  const out = join(clipFolder(), `mix-${rendered++}.mp4`);
  const result = await renderSound({
    plan: { audio },
    files: new Map(files.entries()),
    out,
    limits: DEFAULT_MEDIA_LIMITS,
    signal: new AbortController().signal,
    ...changes,
  });
  return { result, track: await decodedTrack(out), file: out };
}
