import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Whisper } from '../../../src/engine/speech/whisper.ts';
import {
  checkWhisperFile,
  hasLibrary,
  InstalledModels,
  VULKAN_LOADER,
} from '../../../src/speech/models/installed-models.ts';
import { madeWhisper, WORDS } from './made-whisper.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiercut-whisper-'));
after(() => rmSync(folder, { recursive: true }));

function written(bytes: Buffer): string {
  // Characters that mean something to a filter.
  const path = join(folder, "a model's: weights, [1].bin");
  writeFileSync(path, bytes);
  return path;
}

test('[C77] a complete Whisper model is accepted, and its key names its weights', async () => {
  const bytes = madeWhisper();
  const { key, languages } = await checkWhisperFile(written(bytes), createHash('sha256').update(bytes).digest('hex'));
  assert.deepEqual(languages, ['en']);
  assert.equal((await checkWhisperFile(written(bytes), null)).key, key);
  // A weight of the last tensor.
  bytes[bytes.length - 1]! ^= 1;
  assert.notEqual((await checkWhisperFile(written(bytes), null)).key, key);
});

test('[C77] a missing, truncated, damaged or different Whisper model is refused', async () => {
  const bytes = madeWhisper();
  const lastTensor = 4 * 32 + 12 + 4 + 'decoder.blocks.0.cross_attn.out.bias'.length;
  const refused: readonly [RegExp, Buffer][] = [
    [/not a ggml file/, Buffer.from('RIFF, or anything else: no model')],
    [/truncated or damaged/, bytes.subarray(0, 5000)],
    [/truncated or damaged/, bytes.subarray(0, bytes.length - 1)],
    [/truncated or damaged/, bytes.subarray(0, bytes.length - lastTensor)],
    [/truncated or damaged/, Buffer.concat([bytes, Buffer.alloc(1)])],
  ];
  for (const [message, given] of refused) {
    await assert.rejects(checkWhisperFile(written(given), null), { code: 'captions.bad_model', message });
  }
  const other = { code: 'captions.bad_model', message: /TIERCUT_WHISPER_SHA256/ };
  await assert.rejects(checkWhisperFile(written(bytes), '0'.repeat(64)), other);
  const missing = { code: 'captions.bad_model', message: /TIERCUT_WHISPER_MODEL/ };
  await assert.rejects(checkWhisperFile(join(folder, 'nowhere'), null), missing);
});

test('[C77] a multilingual Whisper model transcribes the given language, and detects it otherwise', async () => {
  const path = written(madeWhisper({ vocabulary: 51_866 }));
  const models = new InstalledModels(folder, await checkWhisperFile(path, null));
  const german = models.choose('de');
  assert.deepEqual([german.language, german.model], ['de', { engine: 'whisper', path, language: 'de' }]);
  assert.deepEqual(models.named(german.key, german.language), german);
  const auto = models.choose('auto');
  assert.deepEqual([auto.language, auto.model], ['und', { engine: 'whisper', path, language: 'auto' }]);
  assert.equal(models.choose('yue').language, 'yue');
  assert.throws(() => models.choose('tlh'), { code: 'captions.no_language', message: /af, am, ar/ });
  const older = await checkWhisperFile(written(madeWhisper({ vocabulary: 51_865 })), null);
  assert.deepEqual([older.languages.length, older.languages.includes('yue')], [99, false]);
});

test('[C77] without the Vulkan loader a Whisper model is refused, because the render child would crash', async () => {
  const whisper = { whisperModel: written(madeWhisper()), whisperSha256: null };
  const refused = { code: 'captions.no_vulkan', message: /libvulkan1.*TIERCUT_WHISPER_MODEL/ };
  await assert.rejects(InstalledModels.open(folder, whisper, 'libnowhere.so.1'), refused);
  assert.deepEqual((await InstalledModels.open(folder, whisper, null)).languages(), ['en']);
  const none = await InstalledModels.open(folder, { whisperModel: null, whisperSha256: null }, 'libnowhere.so.1');
  assert.deepEqual(none.languages(), []);
});

const noLoader = hasLibrary(VULKAN_LOADER) ? false : 'there is no Vulkan loader here';

test('[C77] Whisper returns words of one sound in order, with times from its start', { skip: noLoader }, async () => {
  const { signal } = new AbortController();
  const path = written(madeWhisper());
  await using engine = await Whisper.open(path, 'en', folder);
  for (const seconds of [24, 24, 2]) {
    const words = await engine.words(new Float32Array(seconds * 16_000), signal);
    assert.ok(words.every(({ text, start, end }) => text === 'hello' && start >= 0 && start <= end && end <= seconds));
    if (seconds === 24) assert.equal(words.length, WORDS);
    else assert.ok(words.length < WORDS, 'nothing is said after the end of the sound');
  }
});
