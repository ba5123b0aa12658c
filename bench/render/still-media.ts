import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWave } from '../../examples/making/wave-file.ts';
import type { MediaFacts } from '../../src/plan/media-facts.ts';
import { SAMPLE_RATE } from '../../src/time.ts';
import { drawLandscape } from '../../test/paint/sample-pictures.ts';

type Made = { readonly name: string; readonly file: string } & Omit<MediaFacts, 'hash'>;

/** A drawn picture as a PNG file. */
export async function benchPicture(name: string, seed: number, width: number, height: number): Promise<Made> {
  const file = join(await folder(), `${name}.png`);
  await writeFile(file, drawLandscape(seed, width, height).bitmap.toBuffer('image/png'));
  return { name, file, kind: 'still', duration: 0, width, height, alpha: false, sound: false };
}

/** Something with the rhythm of speech, as a WAV file. */
export async function benchVoice(name: string, seconds: number): Promise<Made> {
  const file = join(await folder(), `${name}.wav`);
  const samples = Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, i) => {
    const t = i / SAMPLE_RATE;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.5 * t)) * Math.max(0, Math.sin(2 * Math.PI * 0.3 * t + 1));
    return 0.3 * syllable * (Math.sin(2 * Math.PI * 140 * t) + 0.5 * Math.sin(2 * Math.PI * 910 * t));
  });
  await writeWave(file, { left: samples, right: samples });
  return { name, file, kind: 'audio', duration: seconds, width: 0, height: 0, alpha: false, sound: true };
}

async function folder(): Promise<string> {
  const path = join(tmpdir(), 'tiercut-bench-stills');
  await mkdir(path, { recursive: true });
  return path;
}
