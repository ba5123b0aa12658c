import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clipFolder } from '../../fixtures/clips.ts';

let made = 0;

/** Writes a WAV of 32-bit floats, one array a channel, and gives its absolute path. */
export function wavFile(channels: readonly Float32Array[], rate = 48_000): string {
  const count = channels[0]!.length;
  const frameBytes = channels.length * 4;
  const data = Buffer.alloc(count * frameBytes);
  for (const [channel, samples] of channels.entries()) {
    for (let i = 0; i < count; i++) data.writeFloatLE(samples[i]!, i * frameBytes + channel * 4);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(3, 20);
  header.writeUInt16LE(channels.length, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(32, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data.length, 40);
  const file = join(clipFolder(), `sound-${made++}.wav`);
  writeFileSync(file, Buffer.concat([header, data]));
  return file;
}

/** `count` samples of `valueAt(n)`. */
export function samplesOf(count: number, valueAt: (n: number) => number): Float32Array {
  const samples = new Float32Array(count);
  for (let n = 0; n < count; n++) samples[n] = valueAt(n);
  return samples;
}

/** A sample of a tone at 48 kHz. */
export function tone(hz: number, amplitude = 0.5): (n: number) => number {
  return (n) => amplitude * Math.sin((2 * Math.PI * hz * n) / 48_000);
}
