import createModule, { type AacModule } from '@mediabunny/aac-encoder/module';
import { AAC_CHANNELS, AAC_FRAME_SAMPLES } from '../../iso/mp4/sample-entries.ts';
import type { Stereo } from '../../sound/dsp/stereo.ts';
import { SAMPLE_RATE } from '../../time.ts';

type Packet = Uint8Array<ArrayBuffer>;

/** AAC-LC by libavcodec in WebAssembly: its first packet is priming, as in the service. Browsers' own encoders do not say how late they are. */
export class WasmAac {
  /** The AudioSpecificConfig. */
  readonly config: Packet;
  readonly #module: AacModule;
  readonly #context: number;
  /** Left and right in turn. */
  readonly #waiting = new Float32Array(AAC_CHANNELS * AAC_FRAME_SAMPLES);
  #filled = 0;
  #sent = 0;

  private constructor(module: AacModule, context: number) {
    this.#module = module;
    this.#context = context;
    const at = module._get_encoder_extradata(context);
    this.config = module.HEAPU8.slice(at, at + module._get_encoder_extradata_size(context));
  }

  static async open(bitrateKbps: number): Promise<WasmAac> {
    const module = await createModule();
    const context = module._init_encoder(AAC_CHANNELS, SAMPLE_RATE, bitrateKbps * 1000);
    if (context === 0) throw new Error('the AAC encoder does not start');
    return new WasmAac(module, context);
  }

  encode({ left, right }: Stereo): Packet[] {
    const packets: Packet[] = [];
    for (let n = 0; n < left.length; n += 1) {
      this.#waiting[2 * this.#filled] = left[n]!;
      this.#waiting[2 * this.#filled + 1] = right[n]!;
      this.#filled += 1;
      if (this.#filled === AAC_FRAME_SAMPLES) packets.push(...this.#send());
    }
    return packets;
  }

  /** Encodes the rest. Nothing can be encoded afterwards. */
  finish(): Packet[] {
    const packets: Packet[] = [];
    if (this.#filled > 0) {
      this.#waiting.fill(0, 2 * this.#filled);
      packets.push(...this.#send());
    }
    this.#module._flush_encoder_start(this.#context);
    return [...packets, ...this.#drain()];
  }

  #send(): Packet[] {
    const at = this.#module._get_encode_input_ptr(this.#context, this.#waiting.byteLength);
    this.#module.HEAPU8.set(new Uint8Array(this.#waiting.buffer), at);
    const result = this.#module._send_frame(this.#context, BigInt(this.#sent));
    if (result < 0) throw new Error(`the AAC encoder failed with ${result}`);
    this.#sent += AAC_FRAME_SAMPLES;
    this.#filled = 0;
    return this.#drain();
  }

  #drain(): Packet[] {
    const packets: Packet[] = [];
    for (;;) {
      const size = this.#module._receive_packet(this.#context);
      if (size <= 0) return packets;
      const at = this.#module._get_encoded_data(this.#context);
      packets.push(this.#module.HEAPU8.slice(at, at + size));
    }
  }
}
