import { AV_CODEC_ID_AAC } from 'node-av/constants';
import { Codec, CodecContext, Frame, type Packet } from 'node-av/lib';
import { mustSucceed } from '../libav-call.ts';
import type { Stereo } from './stereo.ts';
import { StereoQueue } from './stereo-queue.ts';

/** Samples that come out of a decoder before the first one that went into the encoder. */
const ENCODER_DELAY = 1024;

/** Only a loud frame can be clipped (a tone of 0.47 is the softest), and a clipped one loses this much of its wave. */
const LOUD_RMS = 0.3;
const LEAST_KEPT = 0.95;

/**
 * Decodes what an encoder makes and compares. libavcodec's fast AAC search lets loud pure tones overflow (measured: 10 dB
 * of distance to the noise instead of 50), which shows as a wave that comes back smaller than it went in.
 */
export class AacCheck implements Disposable {
  readonly #decoder = new CodecContext();
  readonly #frame = new Frame();
  readonly #expected = new StereoQueue();
  #faithful = true;

  /** `header` is the encoder's extra data. */
  constructor(header: Buffer | null) {
    const codec = Codec.findDecoder(AV_CODEC_ID_AAC);
    this.#decoder.allocContext3(codec);
    this.#decoder.extraData = header;
    this.#decoder.threadCount = 1;
    mustSucceed(this.#decoder.open2Sync(codec, null), 'avcodec_open2');
    this.#frame.alloc();
    this.#expected.pushSilence(ENCODER_DELAY);
  }

  /** Whether all that came back is what went in, as far as an encoder may be held to that. */
  get faithful(): boolean {
    return this.#faithful;
  }

  /** What goes into the encoder. */
  expect(sound: Stereo): void {
    this.#expected.push(sound);
  }

  /** What comes out of it. */
  compare(packet: Packet): void {
    mustSucceed(this.#decoder.sendPacketSync(packet), 'avcodec_send_packet');
    while (this.#decoder.receiveFrameSync(this.#frame) >= 0) {
      const [left, right] = this.#frame.data!.map((plane) => new Float32Array(plane.buffer, plane.byteOffset));
      const expected = this.#expected.peek(this.#frame.nbSamples);
      this.#faithful &&= isKept(expected.left, left!) && isKept(expected.right, right!);
      this.#expected.drop(expected.left.length);
    }
  }

  [Symbol.dispose](): void {
    this.#frame.free();
    this.#decoder.freeContext();
  }
}

function isKept(before: Float32Array, after: Float32Array): boolean {
  let energy = 0;
  let kept = 0;
  for (let i = 0; i < before.length; i++) {
    energy += before[i]! * before[i]!;
    kept += before[i]! * after[i]!;
  }
  return energy < LOUD_RMS * LOUD_RMS * before.length || kept >= LEAST_KEPT * energy;
}
