import { attentionOutput, type CaptionModel } from '../models/caption-models.ts';
import { alignTokens, type StepAttention, TokenTable } from './align-tokens.ts';
import type { CaptionWord } from './caption-words.ts';
import { SPEECH_RATE, type SpeechEngine } from './speech-engine.ts';

const START_TOKEN = 1;
const END_TOKEN = 2;
/** People do not speak faster. The model repeats itself where it hears no end. */
const MAX_TOKENS_PER_SECOND = 6.5;

/** The part of onnxruntime-web that is used. It runs in Node and in a browser. */
export interface OnnxRuntime {
  readonly env: {
    readonly wasm: { numThreads: number; wasmPaths: string | { readonly mjs: string }; wasmBinary?: ArrayBuffer };
  };
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: string, data: ArrayLike<unknown>, dims: readonly number[]) => Tensor;
}

interface Session {
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  release(): Promise<void>;
}

interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** Reads the files of a model, each when it is needed: together they are twice as large. */
interface MoonshineFiles {
  encoder(): Promise<Uint8Array>;
  decoder(): Promise<Uint8Array>;
  tokens(): Promise<Uint8Array>;
}

/** Moonshine, an English model by Useful Sensors: an encoder of the sound, and a decoder that writes token after token. */
export class Moonshine implements SpeechEngine {
  readonly #runtime: OnnxRuntime;
  readonly #model: CaptionModel;
  readonly #encoder: Session;
  readonly #decoder: Session;
  readonly #tokens: TokenTable;

  private constructor(
    runtime: OnnxRuntime,
    model: CaptionModel,
    encoder: Session,
    decoder: Session,
    tokens: TokenTable,
  ) {
    this.#runtime = runtime;
    this.#model = model;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#tokens = tokens;
  }

  /** @param runtime knows where its WebAssembly is. @param files what `installModel` leaves, and the table of tokens. */
  static async open(runtime: OnnxRuntime, model: CaptionModel, files: MoonshineFiles): Promise<Moonshine> {
    runtime.env.wasm.numThreads = 1;
    const session = async (file: Uint8Array) => runtime.InferenceSession.create(file, { logSeverityLevel: 3 });
    const encoder = await session(await files.encoder());
    const decoder = await session(await files.decoder());
    return new Moonshine(runtime, model, encoder, decoder, new TokenTable(await files.tokens()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#encoder.release();
    await this.#decoder.release();
  }

  async words(sound: Float32Array, signal: AbortSignal): Promise<CaptionWord[]> {
    const { tokens, attention } = await this.#write(sound, signal);
    const frames = alignTokens(attention, this.#model.heads);
    const frameSeconds = sound.length / SPEECH_RATE / (attention[0]![0]!.length / this.#model.heads);
    const words: { tokens: number[]; first: number; last: number; confidence: number }[] = [];
    for (const [index, { token, probability }] of tokens.entries()) {
      if (token === END_TOKEN) break;
      const { start, end } = frames[index]!;
      const open = words.at(-1);
      if (open === undefined || this.#tokens.beginsWord(token)) {
        words.push({ tokens: [token], first: start, last: end, confidence: probability });
      } else {
        open.tokens.push(token);
        open.last = end;
        open.confidence = Math.min(open.confidence, probability);
      }
    }
    const at = (frame: number) => Math.max(0, frame * frameSeconds - this.#model.late);
    return words
      .map((word) => ({
        text: this.#tokens.text(word.tokens),
        start: at(word.first),
        end: Math.max(at(word.last + 1), frameSeconds),
        confidence: word.confidence,
      }))
      .filter(({ text }) => text !== '');
  }

  async #write(sound: Float32Array, signal: AbortSignal): Promise<Written> {
    const { Tensor } = this.#runtime;
    const { layers, heads, headSize } = this.#model;
    const heard = await this.#encoder.run({ input_values: new Tensor('float32', sound, [1, sound.length]) });
    const encoded = heard.last_hidden_state!;
    let past: Record<string, Tensor> = {};
    for (const name of pastNames(layers))
      past[name] = new Tensor('float32', new Float32Array(), [0, heads, 1, headSize]);
    const written: Written = { tokens: [], attention: [] };
    const max = Math.ceil((sound.length / SPEECH_RATE) * MAX_TOKENS_PER_SECOND);
    for (let token = START_TOKEN; token !== END_TOKEN && written.tokens.length < max; ) {
      signal.throwIfAborted();
      const isFirst = written.tokens.length === 0;
      const out = await this.#decoder.run({
        input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
        encoder_hidden_states: encoded,
        use_cache_branch: new Tensor('bool', [!isFirst], [1]),
        ...past,
      });
      const next = likeliest(out.logits!);
      written.tokens.push(next);
      written.attention.push(Array.from({ length: layers }, (_, layer) => out[attentionOutput(layer)]!.data));
      // Later steps return nothing for the cached parts of the encoder.
      const kept = (name: string) => !isFirst && name.includes('.encoder.');
      past = Object.fromEntries(
        Object.entries(past).map(([name, tensor]) => [
          name,
          kept(name) ? tensor : out[name.replace('past_key_values', 'present')]!,
        ]),
      );
      token = next.token;
    }
    return written;
  }
}

interface Written {
  readonly tokens: { readonly token: number; readonly probability: number }[];
  /** One for each token. */
  readonly attention: StepAttention[];
}

function pastNames(layers: number): string[] {
  return Array.from({ length: layers }, (_, layer) =>
    ['decoder', 'encoder'].flatMap((side) =>
      ['key', 'value'].map((kind) => `past_key_values.${layer}.${side}.${kind}`),
    ),
  ).flat();
}

/** The last position's likeliest token. */
function likeliest({ data, dims }: Tensor): { token: number; probability: number } {
  const logits = data.subarray(data.length - dims[2]!);
  let token = 0;
  for (let n = 1; n < logits.length; n++) if (logits[n]! > logits[token]!) token = n;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - logits[token]!);
  return { token, probability: 1 / sum };
}
