import { AV_CODEC_ID_AAC } from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import { AAC_FRAME_SAMPLES } from '../../iso/aac-format.ts';
import { energyOf } from '../../sound/dsp/level.ts';
import { type Stereo, stereoView } from '../../sound/dsp/stereo.ts';
import { StereoQueue } from '../../sound/dsp/stereo-queue.ts';
import { mustSucceed } from '../libav/libav-call.ts';

/** Only a loud packet can be clipped (a tone of 0.47 is the softest), and a clipped one loses this much of its wave. */
const LOUD_RMS = 0.3;
const MIN_KEPT = 0.95;

/**
 * Decodes an encoder's output and compares. libavcodec's fast AAC search lets loud pure tones overflow (measured: 10 dB
 * of distance to the noise instead of 50), which shows as a wave with a smaller amplitude than the input. Soft packets
 * are not decoded; a loud one needs only the packet before it.
 */
export class AacCheck implements Disposable {
  readonly #decoder = new CodecContext();
  readonly #frame = new Frame();
  readonly #expected = new StereoQueue();
  readonly #before = new Packet();
  /** Whether the decoder has seen the packet before this one, or there is none. */
  #warm = true;
  #faithful = true;

  /** `header` is the encoder's extra data. */
  constructor(header: Buffer | null) {
    const codec = Codec.findDecoder(AV_CODEC_ID_AAC);
    this.#decoder.allocContext3(codec);
    this.#decoder.extraData = header;
    this.#decoder.threadCount = 1;
    mustSucceed(this.#decoder.open2Sync(codec, null), 'avcodec_open2');
    this.#frame.alloc();
    this.#before.alloc();
    // The priming: a packet comes out of a decoder before the first sample that went into the encoder.
    this.#expected.pushSilence(AAC_FRAME_SAMPLES);
  }

  /** Whether the decoded sound equals the input, within the accuracy of an encoder. */
  get faithful(): boolean {
    return this.#faithful;
  }

  /** The encoder's input. */
  expect(sound: Stereo): void {
    this.#expected.push(sound);
  }

  /** The encoder's output. */
  compare(packet: Packet): void {
    const expected = this.#expected.peek(AAC_FRAME_SAMPLES);
    const loud = isLoud(expected.left) || isLoud(expected.right);
    if (loud) {
      if (!this.#warm) this.#decode(this.#before);
      const { left, right } = this.#decode(packet);
      this.#faithful &&= isKept(expected.left, left) && isKept(expected.right, right);
    }
    this.#warm = loud;
    this.#before.unref();
    mustSucceed(this.#before.ref(packet), 'av_packet_ref');
    this.#expected.drop(AAC_FRAME_SAMPLES);
  }

  [Symbol.dispose](): void {
    this.#before.free();
    this.#frame.free();
    this.#decoder.freeContext();
  }

  /** The sound of a packet: shorter than usual if it declares that its end is to be cut off. */
  #decode(packet: Packet): Stereo {
    mustSucceed(this.#decoder.sendPacketSync(packet), 'avcodec_send_packet');
    mustSucceed(this.#decoder.receiveFrameSync(this.#frame), 'avcodec_receive_frame');
    const [left, right] = this.#frame.data!.map((plane) => new Float32Array(plane.buffer, plane.byteOffset));
    return stereoView({ left: left!, right: right! }, 0, this.#frame.nbSamples);
  }
}

function isLoud(samples: Float32Array): boolean {
  return energyOf(samples) >= LOUD_RMS * LOUD_RMS * samples.length;
}

function isKept(before: Float32Array, after: Float32Array): boolean {
  const there = before.subarray(0, after.length);
  if (!isLoud(there)) return true;
  let kept = 0;
  for (let i = 0; i < there.length; i++) kept += there[i]! * after[i]!;
  return kept >= MIN_KEPT * energyOf(there);
}
