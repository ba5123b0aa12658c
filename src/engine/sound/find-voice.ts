import { setImmediate } from 'node:timers/promises';
import { ExportError } from '../../errors.ts';
import type { AudioPlan } from '../../plan/render-plan.ts';
import { silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { VoiceGate } from '../../sound/voice-gate.ts';
import { type VoicePart, voiceSlots } from '../../sound/voice-slots.ts';
import type { Range } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { SoundReader } from './sound-reader.ts';

/** Samples read at once. */
const BLOCK = 48_000;

/**
 * When there is voice on a plan's timeline, in samples. A file that cannot be read has none: the mix reports it.
 *
 * @param files by source index.
 */
export function findVoice(
  audio: AudioPlan,
  files: ReadonlyMap<number, string>,
  limits: MediaLimits,
  signal: AbortSignal,
): Promise<Range<number>[]> {
  return voiceSlots(audio, async (part) => {
    const file = files.get(part.source);
    if (file === undefined) return [];
    try {
      await using reader = await SoundReader.open(file, limits, signal);
      return reader === null ? [] : await spansOf(reader, part, signal);
    } catch (error) {
      if (error instanceof ExportError) return [];
      throw error;
    }
  });
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
