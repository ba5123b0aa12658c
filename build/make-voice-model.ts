/**
 * Takes the weights of Silero VAD v6 for 16 kHz out of its ONNX file and writes those of `src/speech`:
 * `node build/make-voice-model.ts silero_vad_v6.onnx`. The file comes with the npm package `@ricky0123/vad-web` 0.0.31.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHA256 = '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3';
/** In the order in which `src/speech/voice-model.ts` reads them, with how many numbers each has. */
const TENSORS: readonly (readonly [name: string, count: number])[] = [
  ['stft.forward_basis_buffer', 258 * 256],
  ['encoder.0.reparam_conv.weight', 128 * 129 * 3],
  ['encoder.0.reparam_conv.bias', 128],
  ['encoder.1.reparam_conv.weight', 64 * 128 * 3],
  ['encoder.1.reparam_conv.bias', 64],
  ['encoder.2.reparam_conv.weight', 64 * 64 * 3],
  ['encoder.2.reparam_conv.bias', 64],
  ['encoder.3.reparam_conv.weight', 128 * 64 * 3],
  ['encoder.3.reparam_conv.bias', 128],
  ['decoder.rnn.weight_ih', 512 * 128],
  ['decoder.rnn.weight_hh', 512 * 128],
  ['decoder.rnn.bias_ih', 512],
  ['decoder.rnn.bias_hh', 512],
  ['decoder.decoder.2.weight', 128],
  ['decoder.decoder.2.bias', 1],
];

const onnx = readFileSync(process.argv[2]!);
if (createHash('sha256').update(onnx).digest('hex') !== SHA256) throw new Error('This is not Silero VAD v6.');
const out = join(import.meta.dirname, '../src/speech/silero-vad-16k.bin');
writeFileSync(out, Buffer.concat(TENSORS.map(([name, count]) => weights(name, count))));

/** The branch for 8 kHz has tensors of the same names; most of them have other sizes, and those of 16 kHz come second. */
function weights(name: string, count: number): Buffer {
  const title = Buffer.from(name);
  let found: Buffer | null = null;
  for (let at = onnx.indexOf(title); at >= 0; at = onnx.indexOf(title, at + 1)) {
    const values = rawData(at + title.length);
    if (values?.length === count * 4) found = values;
  }
  if (found === null) throw new Error(`There is no ${name} of ${count} numbers.`);
  return found;
}

/** A tensor's bytes follow its name as field 9 of its protocol buffer. */
function rawData(at: number): Buffer | null {
  if (onnx[at] !== 0x4a) return null;
  let [length, shift, next] = [0, 0, at + 1];
  for (;;) {
    const byte = onnx[next++]!;
    length += (byte & 127) * 2 ** shift;
    if (byte < 128) return onnx.subarray(next, next + length);
    shift += 7;
  }
}
