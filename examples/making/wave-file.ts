import { writeFile } from 'node:fs/promises';
import { SAMPLE_RATE } from '../../src/time.ts';
import type { Stereo } from './stereo.ts';

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;

/** Writes a sound as WAV: 16 bits, two channels. */
export async function writeWave(file: string, { left, right }: Stereo, signal?: AbortSignal): Promise<void> {
  const dataBytes = left.length * 2 * SAMPLE_BYTES;
  const bytes = Buffer.alloc(HEADER_BYTES + dataBytes);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20); // PCM
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(SAMPLE_RATE, 24);
  bytes.writeUInt32LE(SAMPLE_RATE * 2 * SAMPLE_BYTES, 28);
  bytes.writeUInt16LE(2 * SAMPLE_BYTES, 32);
  bytes.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(dataBytes, 40);
  for (let n = 0; n < left.length; n++) {
    bytes.writeInt16LE(sixteenBits(left[n]!), HEADER_BYTES + n * 4);
    bytes.writeInt16LE(sixteenBits(right[n]!), HEADER_BYTES + n * 4 + 2);
  }
  await writeFile(file, bytes, signal && { signal });
}

function sixteenBits(value: number): number {
  return Math.round(Math.min(1, Math.max(-1, value)) * 32_767);
}
