/** Samples at 16 kHz that one step looks at, those of the step before in front of them. */
export const STEP_SAMPLES = 512;
const CONTEXT = 64;
/** Of the Fourier transform: its length, the distance of two, and how many there are in a step. */
const WINDOW = 256;
const HOP = 128;
const SPECTRA = 4;
const BINS = WINDOW / 2 + 1;
const STATE = 128;

/**
 * Silero VAD v6 for 16 kHz: the likelihood of speech, step by step. A runtime for such models takes 130 MB and more;
 * this one has 310,000 weights, and a step is four convolutions and an LSTM cell. `build/make-voice-model.ts` makes the
 * weights, `silero-vad-16k.bin`.
 */
export class VoiceModel {
  readonly #weights: VoiceWeights;
  readonly #input = new Float32Array(CONTEXT + STEP_SAMPLES + CONTEXT);
  #hidden = new Float32Array(STATE);
  #cell = new Float32Array(STATE);

  constructor(weights: VoiceWeights) {
    this.#weights = weights;
  }

  /** @param sound the next step; a shorter one is followed by silence. @returns from 0 to 1. */
  step(sound: Float32Array): number {
    const { basis, layers, output } = this.#weights;
    const input = this.#input;
    input.copyWithin(0, STEP_SAMPLES, STEP_SAMPLES + CONTEXT);
    input.fill(0, CONTEXT);
    input.set(sound, CONTEXT);
    const end = CONTEXT + STEP_SAMPLES;
    // Mirrored at its end.
    for (let n = 0; n < CONTEXT; n++) input[end + n] = input[end - 2 - n]!;
    let found: Float32Array[] = Array.from({ length: SPECTRA }, (_, n) =>
      magnitudes(input.subarray(n * HOP, n * HOP + WINDOW), basis),
    );
    for (const layer of layers) found = convolved(found, layer);
    this.#remember(found[0]!);
    let sum = output.bias;
    for (let n = 0; n < STATE; n++) sum += output.weight[n]! * Math.max(0, this.#hidden[n]!);
    return sigmoid(sum);
  }

  /** An LSTM cell: input, forget, cell and output gates, in this order. */
  #remember(found: Float32Array): void {
    const { input, hidden, inputBias, hiddenBias } = this.#weights.memory;
    const gates = new Float32Array(4 * STATE);
    for (let n = 0; n < gates.length; n++) {
      gates[n] = inputBias[n]! + hiddenBias[n]! + dot(input, n * STATE, found) + dot(hidden, n * STATE, this.#hidden);
    }
    for (let n = 0; n < STATE; n++) {
      const [enters, stays, value] = [gates[n]!, gates[STATE + n]!, gates[2 * STATE + n]!];
      this.#cell[n] = sigmoid(stays) * this.#cell[n]! + sigmoid(enters) * Math.tanh(value);
      this.#hidden[n] = sigmoid(gates[3 * STATE + n]!) * Math.tanh(this.#cell[n]!);
    }
  }
}

/** A convolution over three neighbours in time, silence beside the first and the last. */
interface Layer {
  readonly weight: Float32Array;
  readonly bias: Float32Array;
  readonly stride: number;
}

export interface VoiceWeights {
  readonly basis: Float32Array;
  readonly layers: readonly Layer[];
  readonly memory: {
    readonly input: Float32Array;
    readonly hidden: Float32Array;
    readonly inputBias: Float32Array;
    readonly hiddenBias: Float32Array;
  };
  readonly output: { readonly weight: Float32Array; readonly bias: number };
}

export function readVoiceWeights(bytes: Uint8Array): VoiceWeights {
  const all = new Float32Array(bytes.slice().buffer);
  let at = 0;
  const next = (count: number): Float32Array => {
    at += count;
    return all.subarray(at - count, at);
  };
  const layer = (from: number, to: number, stride: number): Layer => ({
    weight: next(to * from * 3),
    bias: next(to),
    stride,
  });
  const basis = next(2 * BINS * WINDOW);
  const layers = [layer(BINS, 128, 1), layer(128, 64, 2), layer(64, 64, 2), layer(64, STATE, 1)];
  const memory = {
    input: next(4 * STATE * STATE),
    hidden: next(4 * STATE * STATE),
    inputBias: next(4 * STATE),
    hiddenBias: next(4 * STATE),
  };
  return { basis, layers, memory, output: { weight: next(STATE), bias: next(1)[0]! } };
}

function magnitudes(sound: Float32Array, basis: Float32Array): Float32Array {
  const spectrum = new Float32Array(BINS);
  for (let bin = 0; bin < BINS; bin++) {
    const [real, imaginary] = [dot(basis, bin * WINDOW, sound), dot(basis, (BINS + bin) * WINDOW, sound)];
    spectrum[bin] = Math.sqrt(real * real + imaginary * imaginary);
  }
  return spectrum;
}

function convolved(frames: readonly Float32Array[], { weight, bias, stride }: Layer): Float32Array[] {
  const width = frames[0]!.length;
  const column = new Float32Array(width * 3);
  const out: Float32Array[] = [];
  for (let at = 0; at < frames.length; at += stride) {
    for (let tap = 0; tap < 3; tap++) {
      const frame = frames[at + tap - 1];
      for (let n = 0; n < width; n++) column[n * 3 + tap] = frame?.[n] ?? 0;
    }
    const values = new Float32Array(bias.length);
    for (let n = 0; n < values.length; n++) values[n] = Math.max(0, bias[n]! + dot(weight, n * column.length, column));
    out.push(values);
  }
  return out;
}

/** Of a row of a matrix and a vector. */
function dot(matrix: Float32Array, from: number, vector: Float32Array): number {
  // Four independent sums: a single one would wait for each addition. Three remain of 387 numbers.
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = vector.length - (vector.length % 4);
  for (let n = 0; n < whole; n += 4) {
    a += matrix[from + n]! * vector[n]!;
    b += matrix[from + n + 1]! * vector[n + 1]!;
    c += matrix[from + n + 2]! * vector[n + 2]!;
    d += matrix[from + n + 3]! * vector[n + 3]!;
  }
  for (let n = whole; n < vector.length; n++) a += matrix[from + n]! * vector[n]!;
  return a + b + c + d;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
