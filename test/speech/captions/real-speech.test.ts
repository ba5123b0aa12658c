import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { openEngine } from '../../../src/engine/speech/open-engine.ts';
import { fileSource } from '../../../src/engine/speech/speech-source.ts';
import { transcribe } from '../../../src/engine/speech/transcribe.ts';
import { captionWarnings } from '../../../src/speech/captions/language-clarity.ts';
import { CAPTION_MODEL_NAMES, type CaptionModelName } from '../../../src/speech/models/caption-models.ts';
import { installedModel, modelFolder } from '../../../src/speech/models/installed-models.ts';
import { samplesOf, tone, wavFile } from '../../engine/sound/wav-file.ts';
import { noModel, TEST_MODEL, TEST_MODELS } from '../../fixtures/caption-model.ts';
import { REAL_MEDIA } from '../../fixtures/real-media.ts';

const { signal } = new AbortController();
const sourceOf = (file: string) => fileSource(file, DEFAULT_MEDIA_LIMITS, signal);
const openModel = (name: CaptionModelName = TEST_MODEL) =>
  openEngine({ engine: 'moonshine', name, path: modelFolder(TEST_MODELS, name) }, '');

interface KnownWord {
  readonly w: string;
  readonly t: number;
}

const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9']/g, '');

/** The starts of words that both have, in order: the longest common subsequence. */
function offsets(known: readonly KnownWord[], found: readonly { text: string; start: number }[]): number[] {
  const [rows, columns] = [known.length, found.length];
  const length = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const isSame = (i: number, j: number) => bare(known[i]!.w) === bare(found[j]!.text);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      length[i]![j] = isSame(i, j) ? length[i + 1]![j + 1]! + 1 : Math.max(length[i + 1]![j]!, length[i]![j + 1]!);
    }
  }
  const both: number[] = [];
  for (let [i, j] = [0, 0]; i < rows && j < columns; ) {
    if (isSame(i, j)) both.push(found[j++]!.start - known[i++]!.t);
    else if (length[i + 1]![j]! >= length[i]![j + 1]!) i++;
    else j++;
  }
  return both;
}

const fileOf = (name: string) => join(REAL_MEDIA, 'speech', `${name}.flac`);
const skip = existsSync(fileOf('jfk')) ? noModel : 'no speech in the folder of real media';

test('[C77] recorded speech is transcribed; 97 of 100 words start within 150 ms', { skip }, async () => {
  await using engine = await openModel();
  const off: number[] = [];
  for (const [name, minShare] of [
    ['jfk', 1],
    ['esp1', 0.9],
    ['esp2', 0.9],
    ['two_cities_16k', 0.95],
  ] as const) {
    const file = fileOf(name);
    const shares: number[] = [];
    const { segments } = await transcribe(await sourceOf(file), engine, signal, (share) => shares.push(share));
    const known = (JSON.parse(readFileSync(file.replace('.flac', '.json'), 'utf8')) as KnownWord[]).filter(
      ({ w }) => w,
    );
    const both = offsets(
      known,
      segments.flatMap(({ words }) => words),
    );
    const text = segments.map((segment) => segment.text).join(' ');
    assert.ok(both.length >= minShare * known.length, `${name}: ${both.length} of ${known.length} words: ${text}`);
    assert.deepEqual(
      shares,
      shares.toSorted((first, second) => first - second),
    );
    off.push(...both);
  }
  const near = off.filter((seconds) => Math.abs(seconds) <= 0.15).length;
  assert.ok(near >= 0.97 * off.length, `${near} of ${off.length} words begin within 150 ms: ${off}`);
});

test('[C77] an English model that hears Italian is unsure, and hears English clearly', { skip }, async () => {
  const installed = CAPTION_MODEL_NAMES.filter((name) => installedModel(TEST_MODELS, name) !== null);
  for (const name of installed) {
    await using engine = await openModel(name);
    const warned = async (file: string) =>
      captionWarnings(await transcribe(await sourceOf(file), engine, signal), 'en').map(({ code }) => code);
    assert.deepEqual(await warned(join(import.meta.dirname, 'italian.ogg')), ['captions.language_unclear'], name);
    assert.deepEqual(await warned(fileOf('esp2')), [], name);
  }
});

test('[C77] a file without speech has no captions', { skip: noModel }, async () => {
  await using engine = await openModel();
  const file = wavFile([samplesOf(3 * 48_000, tone(440))]);
  const heard = await transcribe(await sourceOf(file), engine, signal);
  assert.deepEqual(heard, { duration: 3, segments: [], voice: 0 });
  assert.deepEqual(
    captionWarnings(heard, 'en').map(({ code }) => code),
    ['captions.no_speech'],
  );
});
