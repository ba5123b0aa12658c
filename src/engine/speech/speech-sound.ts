import { silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { SPEECH_RATE } from '../../speech/captions/speech-engine.ts';
import type { Range, Seconds } from '../../time.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { RateConverter } from '../sound/rate-converter.ts';
import type { SpeechReader } from './speech-source.ts';

/** Samples read at once: a second. */
const BLOCK = SAMPLE_RATE;

/** The sound of a range for a speech model: mono, block after block. A block is the caller's until the next. */
export async function* speechSound(reader: SpeechReader, range: Range<Seconds>): AsyncGenerator<Float32Array> {
  const [start, end] = [Math.round(range.start * SAMPLE_RATE), Math.round(range.end * SAMPLE_RATE)];
  using converter = new RateConverter(SAMPLE_RATE, SPEECH_RATE);
  const room = silentStereo(BLOCK);
  for (let at = start; at < end; at += BLOCK) {
    const block = stereoView(room, 0, Math.min(BLOCK, end - at));
    await reader.read(at, block);
    yield mono(converter.convert(block));
  }
  yield mono(converter.flush());
}

function mono({ left, right }: { readonly left: Float32Array; readonly right: Float32Array }): Float32Array {
  return left.map((sample, n) => (sample + right[n]!) / 2);
}
