import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Bytes } from '../../iso/bytes.ts';
import { avcConfig, avcSample, splitSets, withLevel } from '../../iso/h264/avc-samples.ts';
import { joinByteStream } from '../../iso/h264/nal-units.ts';
import { type CodedPicture, RepeatingStream, streamConfig } from '../../iso/h264/repeating-stream.ts';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import type { EncoderChoice } from '../export/device-messages.ts';
import { type Effort, encoderConfig, levelOf } from './encoder-choice.ts';
import { offsetsOf } from './kept-parts.ts';

/** Frames inside of the encoder before the next one is made. */
const AHEAD = 4;

interface Held {
  readonly frame: VideoFrame;
  readonly at: number;
  readonly isKey: boolean;
  repeats: number;
}

/** The part of the API that the type checker's library lacks. */
interface EncodeOptions extends VideoEncoderEncodeOptions {
  readonly avc?: { readonly quantizer: number };
}

/** Of what an encoder writes in front of its streams: only parts in which it is the same can be joined. */
export function identityOf({ config }: PacketIndex<unknown>): string {
  return bytesToHex(sha256(config)).slice(0, 16);
}

/** Encodes one chunk. The encoder does not see frames that look the same as the one before; the stream has them. (R22) */
export class ChunkEncoder {
  readonly #rate: RenderPlan['rate'];
  readonly #level: number;
  readonly #encoder: VideoEncoder;
  readonly #quantizer: EncodeOptions;
  readonly #shown = new Map<number, { readonly at: number; readonly repeats: number }>();
  readonly #coded: { readonly ticks: number; readonly bytes: Uint8Array; readonly isKey: boolean }[] = [];
  #held: Held | null = null;
  #failure: unknown = null;

  constructor(plan: Pick<RenderPlan, 'canvas' | 'rate'>, choice: EncoderChoice, effort: Effort) {
    this.#rate = plan.rate;
    this.#level = levelOf(plan);
    this.#quantizer = choice.bitrateMode === 'quantizer' ? { avc: { quantizer: effort.quantizer } } : {};
    this.#encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.#coded.push({ ticks: this.#ticksAt(chunk.timestamp), bytes, isKey: chunk.type === 'key' });
      },
      error: (error) => {
        this.#failure ??= error;
      },
    });
    this.#encoder.configure(encoderConfig(plan, choice, effort));
  }

  /** The next frame looks the same as the last one. */
  repeat(): void {
    this.#held!.repeats += 1;
  }

  /**
   * @param at frames since the start of the chunk.
   * @param frame makes the frame at a time with a duration, in microseconds.
   */
  async encode(at: number, isKey: boolean, frame: (timestamp: number, duration: number) => VideoFrame): Promise<void> {
    await this.#encodeHeld();
    const [start, end] = [this.#microsAt(at), this.#microsAt(at + 1)];
    this.#held = { frame: frame(start, end - start), at, isKey, repeats: 0 };
  }

  /** Encodes the rest. Nothing can be encoded afterwards. */
  async finish(): Promise<PacketIndex<Blob>> {
    await this.#encodeHeld();
    await this.#encoder.flush();
    this.#encoder.close();
    if (this.#failure !== null) throw this.#failure;
    return this.#packets();
  }

  /** Ends the encoder of a chunk that is not finished. */
  close(): void {
    this.#held?.frame.close();
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }

  async #encodeHeld(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#held === null) return;
    const { frame, at, isKey, repeats } = this.#held;
    this.#held = null;
    this.#shown.set(at, { at, repeats });
    while (this.#encoder.encodeQueueSize >= AHEAD && this.#failure === null) {
      await new Promise((resolve) => this.#encoder.addEventListener('dequeue', resolve, { once: true }));
    }
    this.#encoder.encode(frame, { keyFrame: isKey, ...this.#quantizer } satisfies EncodeOptions);
    frame.close();
  }

  /** The stream of the chunk, with the frames that the encoder did not see. */
  #packets(): PacketIndex<Blob> {
    const pictures: CodedPicture[] = [];
    const parts = this.#coded.map(({ bytes }) => splitSets(bytes));
    const sets = joinByteStream(withLevel(parts[0]!.sets, this.#level));
    const stream = new RepeatingStream(sets, (picture) => pictures.push(picture));
    for (const [ticks, showing] of this.#shown) stream.expect(ticks, showing);
    for (const [index, { ticks, isKey }] of this.#coded.entries()) {
      stream.write({ pts: BigInt(ticks), data: joinByteStream(parts[index]!.slices), isKeyframe: isKey });
    }
    stream.end();
    return packetIndex(pictures, avcConfig(streamConfig(sets)), this.#rate);
  }

  #microsAt(at: number): number {
    return Math.round((at * 1e6 * this.#rate.den) / this.#rate.num);
  }

  #ticksAt(micros: number): number {
    return Math.round((micros * this.#rate.num) / (1e6 * this.#rate.den));
  }
}

function packetIndex(pictures: readonly CodedPicture[], config: Bytes, rate: RenderPlan['rate']): PacketIndex<Blob> {
  const samples = pictures.map(({ bytes }) => avcSample(bytes));
  const sizes = Uint32Array.from(samples, ({ length }) => length);
  return {
    file: new Blob(samples),
    offsets: offsetsOf(sizes),
    sizes,
    times: Float64Array.from(pictures, ({ at }) => at * rate.den),
    keys: Uint8Array.from(pictures, ({ isKey }) => Number(isKey)),
    ticksASecond: rate.num,
    config,
  };
}
