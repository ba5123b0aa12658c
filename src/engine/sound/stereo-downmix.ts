import { AV_CHANNEL_ORDER_NATIVE, AV_CHANNEL_ORDER_UNSPEC, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { avChannelLayoutDefault, type ChannelLayout, type Frame, SoftwareResampleContext } from 'node-av/lib';
import { type Stereo, silentStereo } from '../../sound/dsp/stereo.ts';
import { isPlayableSound } from '../input/playable-sound.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { PlainCopy } from './plain-copy.ts';
import { STEREO_LAYOUT } from './planar-frame.ts';

const MONO: ChannelLayout = { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x4n };
const TYPICAL_FRAME = 4096;
/** Louder than this, 60 dB above full scale, is damage: no recorder writes it. */
const LOUDEST = 1000;

/**
 * Turns decoded frames of any format and layout into stereo float at one rate. Mono goes to both sides at full level.
 * More channels are folded by ITU-R BS.775 (centre and surrounds at −3 dB, no LFE) and not scaled down afterwards, as
 * in players: dialogue keeps its level, and the bus has a limiter for the rare sum above full scale. A stream may
 * change its format midway.
 */
export class StereoDownmix implements Disposable {
  readonly #rate: number;
  #plain: PlainCopy | null = null;
  #context: SoftwareResampleContext | null = null;
  #key = '';
  #planes = 2;

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** The frame's samples, valid until the next call. Null if it is not playable sound. */
  convert(frame: Frame): Stereo | null {
    const sound = this.#convert(frame);
    if (sound !== null) for (const side of [sound.left, sound.right]) silenceDamage(side);
    return sound;
  }

  #convert(frame: Frame): Stereo | null {
    const copied = this.#plain?.take(frame) ?? null;
    if (copied !== null) return copied;
    if (!isPlayableSound(frame)) return null;
    const planes = frame.extendedData;
    const count = frame.nbSamples;
    if (planes === null || count === 0) return silentStereo(0);
    if (frame.format === AV_SAMPLE_FMT_FLTP && frame.channels <= 2 && frame.sampleRate === this.#rate) {
      this.#plain?.[Symbol.dispose]();
      this.#plain = new PlainCopy(frame.channelLayout, this.#rate, Math.max(count, TYPICAL_FRAME));
      return { left: floats(planes[0]!, count), right: floats(planes.at(-1)!, count) };
    }
    const context = this.#contextFor(frame);
    const room = frame.sampleRate === this.#rate ? count : context.getOutSamples(count);
    const out = Array.from({ length: this.#planes }, () => Buffer.from(new ArrayBuffer(room * 4)));
    const made = mustSucceed(context.convertSync(out, room, planes, count), 'swr_convert');
    return { left: floats(out[0]!, made), right: floats(out[Math.min(1, this.#planes - 1)]!, made) };
  }

  [Symbol.dispose](): void {
    this.#plain?.[Symbol.dispose]();
    this.#context?.free();
  }

  #contextFor(frame: Frame): SoftwareResampleContext {
    const { nbChannels, order, mask } = frame.channelLayout;
    const key = `${frame.format} ${frame.sampleRate} ${nbChannels} ${order} ${mask}`;
    if (this.#context !== null && key === this.#key) return this.#context;
    this.#context?.free();
    const from = meantLayout(frame.channelLayout);
    // A layout that cannot be folded (ambisonics, 13 unnamed channels) is reduced to its first two channels.
    const to = nbChannels === 1 ? MONO : from.order === AV_CHANNEL_ORDER_NATIVE ? STEREO_LAYOUT : from;
    const context = new SoftwareResampleContext();
    this.#context = context;
    mustSucceed(
      context.allocSetOpts2(to, AV_SAMPLE_FMT_FLTP, this.#rate, from, frame.format as never, frame.sampleRate),
      'swr_alloc_set_opts2',
    );
    mustSucceed(context.init(), 'swr_init');
    this.#key = key;
    this.#planes = to.nbChannels;
    return context;
  }
}

/** Float files may hold invalid values; one of them would break the limiter and the encoder. (H13) */
function silenceDamage(samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) if (!(Math.abs(samples[i]!) <= LOUDEST)) samples[i] = 0;
}

/** If a file only counts its channels, the default layout for that count applies. */
function meantLayout(layout: ChannelLayout): ChannelLayout {
  if (layout.nbChannels === 1) return MONO;
  if (layout.nbChannels === 2) return STEREO_LAYOUT;
  return layout.order === AV_CHANNEL_ORDER_UNSPEC ? avChannelLayoutDefault(layout.nbChannels) : layout;
}

function floats(plane: Buffer, count: number): Float32Array {
  return new Float32Array(plane.buffer, plane.byteOffset, count);
}
