/** A Whisper model of one layer that says one word `WORDS` times, whatever it hears. */
interface MadeWhisper {
  /** 51,864: English only. */
  readonly vocabulary?: number;
  readonly word?: string;
}

const STATE = 32;
const MELS = 80;
const AUDIO_FRAMES = 1500;
const TEXT_TOKENS = 448;
/** "ggml". */
const MAGIC = 0x67_67_6d_6c;
const [F32, F16] = [0, 1];
/** 4, as a 16-bit float. */
const FOUR = 0x44_00;
/** Of English models; those for all languages have one more token before it. */
const END_TOKEN = 50_256;
const ENGLISH_VOCABULARY = 51_864;
/** How often the model says its word. */
export const WORDS = 6;

/** The bytes of a file in the ggml format. */
export function madeWhisper({ vocabulary = ENGLISH_VOCABULARY, word = ' hello' }: MadeWhisper = {}): Buffer {
  const parameters = [vocabulary, AUDIO_FRAMES, STATE, 1, 1, TEXT_TOKENS, STATE, 1, 1, MELS, 1];
  const filters = Buffer.alloc(4 * MELS * 201);
  const words = [' ', word].map((each) => Buffer.concat([numbers(Buffer.byteLength(each)), Buffer.from(each)]));
  // Positions point along the first axis, then along the second. So does the word, and the end.
  const positions = zeros(F32, STATE, TEXT_TOKENS);
  for (let n = 0; n < TEXT_TOKENS; n++) positions.writeFloatLE(100, 4 * (n * STATE + (n < WORDS ? 0 : 1)));
  const embedding = zeros(F16, STATE, vocabulary);
  embedding.writeUInt16LE(FOUR, 2 * STATE);
  embedding.writeUInt16LE(FOUR, 2 * ((vocabulary === ENGLISH_VOCABULARY ? END_TOKEN : END_TOKEN + 1) * STATE + 1));
  const ones = zeros(F32, STATE);
  for (let n = 0; n < STATE; n++) ones.writeFloatLE(1, 4 * n);
  return Buffer.concat([
    numbers(MAGIC, ...parameters, MELS, 201),
    filters,
    numbers(words.length),
    ...words,
    tensor('encoder.positional_embedding', F32, [STATE, AUDIO_FRAMES]),
    tensor('encoder.conv1.weight', F16, [3, MELS, STATE]),
    tensor('encoder.conv1.bias', F32, [1, STATE]),
    tensor('encoder.conv2.weight', F16, [3, STATE, STATE]),
    tensor('encoder.conv2.bias', F32, [1, STATE]),
    ...pair('encoder.ln_post', F32, [STATE]),
    ...block('encoder.blocks.0', ['attn']),
    tensor('decoder.positional_embedding', F32, [STATE, TEXT_TOKENS], positions),
    tensor('decoder.token_embedding.weight', F16, [STATE, vocabulary], embedding),
    tensor('decoder.ln.weight', F32, [STATE], ones),
    tensor('decoder.ln.bias', F32, [STATE]),
    ...block('decoder.blocks.0', ['attn', 'cross_attn']),
  ]);
}

function block(name: string, attentions: readonly string[]): Buffer[] {
  return [
    ...pair(`${name}.mlp_ln`, F32, [STATE]),
    ...pair(`${name}.mlp.0`, F16, [STATE, 4 * STATE]),
    ...pair(`${name}.mlp.2`, F16, [4 * STATE, STATE]),
    ...attentions.flatMap((attention) => [
      ...pair(`${name}.${attention}_ln`, F32, [STATE]),
      tensor(`${name}.${attention}.key.weight`, F16, [STATE, STATE]),
      ...['query', 'value', 'out'].flatMap((part) => pair(`${name}.${attention}.${part}`, F16, [STATE, STATE])),
    ]),
  ];
}

function pair(name: string, type: number, sides: readonly number[]): Buffer[] {
  return [tensor(`${name}.weight`, type, sides), tensor(`${name}.bias`, F32, [sides.at(-1)!])];
}

function tensor(name: string, type: number, sides: readonly number[], data = zeros(type, ...sides)): Buffer {
  return Buffer.concat([numbers(sides.length, name.length, type, ...sides), Buffer.from(name), data]);
}

function zeros(type: number, ...sides: number[]): Buffer {
  return Buffer.alloc(sides.reduce((product, side) => product * side, type === F32 ? 4 : 2));
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}
