import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { SoftwareResampleContext } from 'node-av/lib';
import { OVERSAMPLING_TAPS } from '../../sound/dsp/oversampler.ts';
import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { channelBytes, STEREO_LAYOUT } from './planar-frame.ts';

/** Source samples that the interpolation of one output sample looks at, for rates up to 48 kHz. */
const TAPS = OVERSAMPLING_TAPS;

/**
 * Converts stereo float from one rate to another. The first output sample is at the first input sample. The result is
 * in its own memory and valid until the next call.
 */
export class RateConverter implements Disposable {
  readonly #context = new SoftwareResampleContext();
  #room = silentStereo(0);

  constructor(from: number, to: number) {
    const made = this.#context.allocSetOpts2(
      STEREO_LAYOUT,
      AV_SAMPLE_FMT_FLTP,
      to,
      STEREO_LAYOUT,
      AV_SAMPLE_FMT_FLTP,
      from,
    );
    mustSucceed(made, 'swr_alloc_set_opts2');
    mustSucceed(this.#context.setOption('filter_size', TAPS), 'av_opt_set');
    mustSucceed(this.#context.init(), 'swr_init');
  }

  /** Returns the samples that can be computed so far; the last few input samples wait for their neighbours. */
  convert(sound: Stereo): Stereo {
    return this.#run(channelBytes(sound), sound.left.length);
  }

  /** Returns the rest. Nothing may be converted afterwards. */
  flush(): Stereo {
    return this.#run(null, 0);
  }

  [Symbol.dispose](): void {
    this.#context.free();
  }

  #run(input: Buffer[] | null, count: number): Stereo {
    const max = mustSucceed(this.#context.getOutSamples(count), 'swr_get_out_samples');
    if (max > this.#room.left.length) this.#room = silentStereo(2 * max);
    const made = mustSucceed(this.#context.convertSync(channelBytes(this.#room), max, input, count), 'swr_convert');
    return stereoView(this.#room, 0, made);
  }
}

/**
 * Where to begin converting so that output sample `at` comes out as it would from the very beginning: a source sample
 * that falls exactly on an output sample (so that the filter is in the same phase), far enough ahead for the filter's
 * reach. Both places count from source time 0.
 */
export function conversionStart(at: number, rate: number): { readonly source: number; readonly output: number } {
  const common = greatestCommonDivisor(rate, SAMPLE_RATE);
  const sourceStep = rate / common;
  const reach = Math.ceil(TAPS * 2 * Math.max(1, rate / SAMPLE_RATE));
  const steps = Math.floor(((at * rate) / SAMPLE_RATE - reach) / sourceStep);
  return { source: steps * sourceStep, output: (steps * SAMPLE_RATE) / common };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
