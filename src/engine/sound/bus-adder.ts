import { AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { type ChannelLayout, SoftwareResampleContext } from 'node-av/lib';
import type { Adder } from '../../sound/clip-envelope.ts';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { channelBytes, STEREO_LAYOUT } from './planar-frame.ts';

/**
 * The two channels of the bus, then the two of the sound. libav's names of these four do not matter: the matrix
 * decides.
 */
const BUS_AND_SOUND: ChannelLayout = { nbChannels: 4, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x33n };

/**
 * Adds sound at one gain to a bus. The sum is a mixing matrix of swresample, which has vector instructions for it: eight
 * times as fast as a loop in JavaScript.
 */
export class BusAdder implements Adder {
  readonly #context = new SoftwareResampleContext();

  constructor(gain: number) {
    const bus = [STEREO_LAYOUT, AV_SAMPLE_FMT_FLTP, SAMPLE_RATE] as const;
    const both = [BUS_AND_SOUND, AV_SAMPLE_FMT_FLTP, SAMPLE_RATE] as const;
    mustSucceed(this.#context.allocSetOpts2(...bus, ...both), 'swr_alloc_set_opts2');
    mustSucceed(this.#context.setMatrix([1, 0, gain, 0, 0, 1, 0, gain], 4), 'swr_set_matrix');
    mustSucceed(this.#context.init(), 'swr_init');
  }

  add(sound: Stereo, bus: Stereo): void {
    const count = sound.left.length;
    if (count === 0) return;
    const onto = channelBytes(bus);
    mustSucceed(this.#context.convertSync(onto, count, [...onto, ...channelBytes(sound)], count), 'swr_convert');
  }

  [Symbol.dispose](): void {
    this.#context.free();
  }
}
