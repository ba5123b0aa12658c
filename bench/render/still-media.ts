import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWave } from '../../examples/making/wave-file.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import { SAMPLE_RATE } from '../../src/time.ts';
import { drawLandscape } from '../../test/paint/sample-pictures.ts';

type Made = { readonly name: string; readonly file: string } & Omit<MediaFacts, 'hash'>;

/** A drawn picture as a PNG file. */
export async function benchPicture(name: string, seed: number, width: number, height: number): Promise<Made> {
  const file = await kept(`${name}-${seed}-${width}x${height}.png`, async (path) => {
    await writeFile(path, drawLandscape(seed, width, height).bitmap.toBuffer('image/png'));
  });
  return { name, file, kind: 'still', duration: 0, width, height, alpha: false, sound: false };
}

/** Something with the rhythm of speech, as a WAV file. */
export async function benchVoice(name: string, seconds: number): Promise<Made> {
  const file = await kept(`${name}-${seconds}.wav`, (path) => writeVoice(path, seconds));
  return { name, file, kind: 'audio', duration: seconds, width: 0, height: 0, alpha: false, sound: true };
}

async function writeVoice(file: string, seconds: number): Promise<void> {
  const samples = Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, i) => {
    const t = i / SAMPLE_RATE;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.5 * t)) * Math.max(0, Math.sin(2 * Math.PI * 0.3 * t + 1));
    return 0.3 * syllable * (Math.sin(2 * Math.PI * 140 * t) + 0.5 * Math.sin(2 * Math.PI * 910 * t));
  });
  await writeWave(file, { left: samples, right: samples });
}

/** Made once: its cost is not measured. */
async function kept(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), 'tiercut-bench-stills-2');
  const file = join(folder, name);
  await mkdir(folder, { recursive: true });
  if ((await stat(file).catch(() => null)) !== null) return file;
  await make(`${file}.part`);
  await rename(`${file}.part`, file);
  return file;
}
