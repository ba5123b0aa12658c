import { attentionOutput } from './caption-models.ts';

/** Fields of ONNX messages that are read or added here; see onnx.proto. */
const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_OUTPUT = 12;
const NODE_INPUT = 1;
const NODE_OUTPUT = 2;
const NODE_NAME = 3;
const NODE_OPERATOR = 4;
const NODE_ATTRIBUTE = 5;
const ATTRIBUTE_GRAPH = 6;
const VALUE_NAME = 1;
const VALUE_TYPE = 2;
/** A tensor of 32-bit floats of any shape. */
const FLOAT_TENSOR = Buffer.from([0x0a, 0x02, 0x08, 0x01]);

/**
 * Adds the cross-attention of each layer to the outputs of a merged decoder. The published decoders compute it and do
 * not return it; the times of words are derived from it. The decoder is one If, with a graph for the first step and one
 * for the others: both get the outputs.
 *
 * @throws Error if the attention is not found.
 */
export function exposeAttention(model: Buffer): Buffer {
  return replaced(model, MODEL_GRAPH, (graph) => {
    let layers = 0;
    const withBranches = replaced(graph, GRAPH_NODE, (node) => {
      if (textOf(node, NODE_OPERATOR) !== 'If') return node;
      const branches = replaced(node, NODE_ATTRIBUTE, (attribute) =>
        replaced(attribute, ATTRIBUTE_GRAPH, (branch) => {
          const found = attentionOf(branch);
          layers = found.length;
          return Buffer.concat([branch, ...found.map((name) => field(GRAPH_OUTPUT, valueInfo(name)))]);
        }),
      );
      return Buffer.concat([branches, ...numbered(layers).map((name) => field(NODE_OUTPUT, Buffer.from(name)))]);
    });
    if (layers === 0) throw new Error('the decoder has no cross-attention');
    return Buffer.concat([withBranches, ...numbered(layers).map((name) => field(GRAPH_OUTPUT, valueInfo(name)))]);
  });
}

function numbered(layers: number): string[] {
  return Array.from({ length: layers }, (_, layer) => attentionOutput(layer));
}

/** The outputs of the softmaxes over the encoder's frames, in the order of their layers. */
function attentionOf(graph: Buffer): string[] {
  const found: { layer: number; output: string }[] = [];
  for (const { number, value: node } of fieldsOf(graph)) {
    if (number !== GRAPH_NODE || textOf(node, NODE_OPERATOR) !== 'Softmax') continue;
    const output = textOf(node, NODE_OUTPUT);
    const names = [textOf(node, NODE_NAME), textOf(node, NODE_INPUT), output].join(' ');
    if (!names.includes('encoder_attn')) continue;
    const layer = /layers\.(?<layer>\d+)/.exec(names)?.groups?.layer;
    found.push({ layer: layer === undefined ? found.length : Number(layer), output });
  }
  return found.sort((a, b) => a.layer - b.layer).map(({ output }) => output);
}

function valueInfo(name: string): Buffer {
  return Buffer.concat([field(VALUE_NAME, Buffer.from(name)), field(VALUE_TYPE, FLOAT_TENSOR)]);
}

interface Field {
  readonly number: number;
  /** The whole field, its key included. */
  readonly bytes: Buffer;
  /** The content, for a field with a length. */
  readonly value: Buffer;
}

/** The fields of a protobuf message. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = message[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const start = at;
    const key = varint();
    const [number, wire] = [Math.floor(key / 8), key % 8];
    const length = wire === 2 ? varint() : wire === 1 ? 8 : wire === 5 ? 4 : 0;
    if (wire === 0) varint();
    else if (![1, 2, 5].includes(wire)) throw new Error(`no protobuf field is of wire type ${wire}`);
    const value = message.subarray(at, at + length);
    at += length;
    yield { number, bytes: message.subarray(start, at), value };
  }
}

function replaced(message: Buffer, number: number, replace: (value: Buffer) => Buffer): Buffer {
  return Buffer.concat(
    Array.from(fieldsOf(message), (each) => {
      if (each.number !== number) return each.bytes;
      const value = replace(each.value);
      return value === each.value ? each.bytes : field(number, value);
    }),
  );
}

function textOf(message: Buffer, number: number): string {
  for (const each of fieldsOf(message)) if (each.number === number) return each.value.toString();
  return '';
}

function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([varintOf(number * 8 + 2), varintOf(value.length), value]);
}

function varintOf(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}
