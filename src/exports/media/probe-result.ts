import { ExportError } from '../../errors.ts';
import { DRAWING_AS_CLIP, type MediaFacts } from '../../plan/model/media-facts.ts';
import { type FactsOrError, TRUNCATED } from '../../plan/resolve-facts.ts';
import type { Probed } from '../../sandbox/render-host.ts';
import type { MediaDescription } from '../api/media-api.ts';

/** The result of a probe as plain data, stored as JSON. */
export interface ProbeResult {
  /** The facts for the planner, or why there are none. */
  readonly facts: Omit<MediaFacts, 'hash'> | { readonly error: Pick<ExportError, 'kind' | 'code' | 'message'> };
  readonly description: MediaDescription;
}

const NOTHING = {
  kind: 'unreadable',
  container: null,
  durationSeconds: 0,
  width: 0,
  height: 0,
  rate: null,
  variableRate: false,
  alpha: false,
  videoCodec: null,
  sound: null,
} as const;

const NO_FRAMES: Readonly<Record<'picture' | 'all', string>> = {
  picture: 'The picture of the file cannot be decoded; only its sound can be used.',
  all: 'Neither the picture nor the sound of the file can be decoded.',
};

/** Converts the result of a probe. */
export function probeResult(probed: Probed): ProbeResult {
  if (probed instanceof ExportError) {
    const { kind, code, message } = probed;
    return { facts: { error: { kind, code, message } }, description: { ...NOTHING, problems: [{ code, message }] } };
  }
  const { container, kind, video, audio, problem, facts } = probed;
  const problems: { code: string; message: string }[] = [];
  if (problem === 'media.truncated') problems.push({ code: problem, message: TRUNCATED });
  else if (problem !== null) problems.push({ code: problem, message: NO_FRAMES[audio === null ? 'all' : 'picture'] });
  if (kind === 'drawing') problems.push({ code: 'media.unsupported', message: DRAWING_AS_CLIP });
  const description: MediaDescription = {
    kind,
    container,
    durationSeconds: facts.duration,
    width: facts.width,
    height: facts.height,
    rate: video?.rate ?? null,
    variableRate: video?.variableRate ?? false,
    alpha: facts.alpha,
    videoCodec: video?.codec ?? null,
    sound: audio && { codec: audio.codec, channels: audio.channels, sampleRate: audio.sampleRate },
    problems,
  };
  return { facts, description };
}

/** The same for the planner. */
export function factsOrError(sha256: string, { facts }: ProbeResult): FactsOrError {
  return { hash: sha256, ...facts };
}

/**
 * Whether another probe would give the same result. A child may crash by coincidence, and an exceeded budget depends on
 * the machine.
 */
export function isPermanent({ facts }: ProbeResult): boolean {
  return !('error' in facts) || (facts.error.code.startsWith('media.') && facts.error.code !== 'media.unreadable');
}
