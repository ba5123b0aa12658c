import { setImmediate } from 'node:timers/promises';
import { ExportError } from '../../errors.ts';
import { type VoicePart, voiceClips } from '../../plan/frame/clip-pass.ts';
import type { AudioPlan } from '../../plan/model/audio-plan.ts';
import { silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { VoiceGate, voiceSlots } from '../../sound/voice-gate.ts';
import type { Range } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { SoundReader } from './sound-reader.ts';

/** Samples read at once. */
const BLOCK = 48_000;

/** When there is voice in a part of a source, in samples from the part's start. */
export interface FoundVoice extends Range<number> {
  readonly spans: readonly Range<number>[];
}

/**
 * When there is voice on a plan's timeline, in samples. A file that cannot be read has none: the mix reports it.
 *
 * @param files by source index.
 * @param known the results of `voiceOfSource`, by source index; the rest is searched for.
 */
export function findVoice(
  audio: Pick<AudioPlan, 'clips' | 'duckDb'>,
  files: ReadonlyMap<number, string>,
  limits: MediaLimits,
  signal: AbortSignal,
  known: ReadonlyMap<number, readonly FoundVoice[]> = new Map(),
): Promise<Range<number>[]> {
  return voiceSlots(audio, async (part) => {
    const kept = known.get(part.source)?.find(({ start, end }) => start === part.start && end === part.end);
    return kept?.spans ?? (await voiceIn(part, files, limits, signal)) ?? [];
  });
}

/** When there is voice in the parts of a source that a plan plays. Parts that cannot be read are left out. */
export async function voiceOfSource(
  audio: Pick<AudioPlan, 'clips' | 'duckDb'>,
  source: number,
  files: ReadonlyMap<number, string>,
  limits: MediaLimits,
  signal: AbortSignal,
): Promise<FoundVoice[]> {
  const found = new Map<string, FoundVoice | null>();
  for (const { part } of voiceClips(audio)) {
    const { start, end } = part;
    const key = `${start} ${end}`;
    if (part.source !== source || found.has(key)) continue;
    const spans = await voiceIn(part, files, limits, signal);
    found.set(key, spans && { start, end, spans });
  }
  return [...found.values()].filter((voice) => voice !== null);
}

async function voiceIn(
  part: VoicePart,
  files: ReadonlyMap<number, string>,
  limits: MediaLimits,
  signal: AbortSignal,
): Promise<Range<number>[] | null> {
  const file = files.get(part.source);
  if (file === undefined) return null;
  try {
    await using reader = await SoundReader.open(file, limits, signal);
    return reader === null ? [] : await spansOf(reader, part, signal);
  } catch (error) {
    if (error instanceof ExportError) return null;
    throw error;
  }
}

async function spansOf(reader: SoundReader, { start, end }: VoicePart, signal: AbortSignal): Promise<Range<number>[]> {
  const gate = new VoiceGate();
  const room = silentStereo(BLOCK);
  for (let at = start; at < end; at += BLOCK) {
    signal.throwIfAborted();
    const block = stereoView(room, 0, Math.min(BLOCK, end - at));
    reader.read(at, block);
    gate.push(block);
    await setImmediate();
  }
  return gate.spans();
}
