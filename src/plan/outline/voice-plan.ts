import type { ExportRequest } from '../../timeline/request/export-request.ts';
import type { AudioClip, AudioPlan } from '../audio/audio-plan.ts';
import { audioKey } from '../keys/chunk-key.ts';
import type { Digest } from '../keys/digest.ts';
import type { RenderPlan } from '../render-plan.ts';

/** The speech of a video: the sound that captions are made from. (C77) */
export interface VoicePlan {
  readonly audio: Pick<AudioPlan, 'clips' | 'totalSamples'>;
  /** The content of each source that is heard, by its index. */
  readonly sources: readonly (readonly [source: number, sha256: string])[];
  /** Hash of all that decides the sound. */
  readonly key: string;
}

/** The sound of clips, of voice-overs and of soundtracks that are voice, without anything else. */
export function voicePlan(
  { audio, sources }: Pick<RenderPlan, 'audio' | 'sources'>,
  { timeline }: Pick<ExportRequest, 'timeline'>,
  engineVersion: string,
  digest: Digest,
): VoicePlan {
  const spoken = new Set(timeline.soundtracks.filter(({ role }) => role === 'voice').map(({ path }) => path));
  const isVoice = ({ lane, path }: AudioClip) =>
    lane === 'videos' || lane === 'audios' || (lane === 'soundtracks' && spoken.has(path));
  const clips = audio.clips.filter(isVoice).map((clip): AudioClip => ({ ...clip, bus: 'plain' }));
  const mix = { clips, totalSamples: audio.totalSamples, bitrateKbps: 0, loudness: null, duckDb: 0 };
  const heard = new Set(clips.map(({ source }) => source).filter((source) => typeof source === 'number'));
  return {
    audio: { clips, totalSamples: audio.totalSamples },
    sources: [...heard].map((source) => [source, sources[source]!.hash] as const),
    key: audioKey(mix, sources, engineVersion, digest),
  };
}
