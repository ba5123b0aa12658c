import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { contentPlace, readIndex, readZip, writeZip } from '../../src/archive/zip-file.ts';
import { descriptor, indexRecords, localRecord } from '../../src/archive/zip-records.ts';
import { zipBytes, zipStream } from '../../src/archive/zip-stream.ts';
import * as texts from '../../src/studio/texts/en/zip-file.ts';

function file(path: string, content: string): Parameters<typeof zipStream>[0][number] {
  const bytes = Buffer.from(content);
  return { path, bytes: bytes.length, stream: async () => Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]) };
}

async function contentOf(archive: Blob, path: string): Promise<string> {
  return (await (await readZip(archive, texts)).get(path)!(2 ** 20)).text();
}

test('[C89] an archive has the length that was announced, and other programs read it', async (t) => {
  const files = [file('project.json', '{}'), file('média/ü.txt', 'wörds'), file('empty', '')];
  const bytes = await buffer(zipStream(files));
  assert.equal(bytes.length, zipBytes(files));
  const archive = new Blob([bytes]);
  assert.equal(await contentOf(archive, 'média/ü.txt'), 'wörds');
  assert.deepEqual(
    [...(await readZip(archive, texts)).keys()],
    files.map(({ path }) => path),
  );

  const folder = mkdtempSync(join(tmpdir(), 'tiercut-zip-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const place = join(folder, 'a.zip');
  for (const content of [
    bytes,
    Buffer.from(await (await writeZip([{ path: 'a', file: new Blob(['b']) }])).arrayBuffer()),
  ]) {
    writeFileSync(place, content);
    const program =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()))';
    const { status, error, stdout, stderr } = spawnSync('python3', ['-c', program, place], { encoding: 'utf8' });
    if (error !== undefined) return t.skip('Python is not installed');
    assert.equal(status, 0, stderr);
    assert.equal(Number(stdout), content === bytes ? 3 : 1);
  }
});

test('[C89] an archive of more than 65,535 files, and one of more than 4 GiB, use ZIP64', async () => {
  const empty = { bytes: 0, crc: 0, at: 0 };
  const many = Array.from({ length: 66_000 }, (_, n) => ({ path: `${n}`, ...empty }));
  const names = await readZip(new Blob([indexRecords(many, 0, true)]), texts);
  assert.deepEqual([names.size, names.has('65999')], [66_000, true]);

  const [large, small] = [
    { path: 'large', bytes: 5 * 2 ** 30, crc: 7, at: 0 },
    { path: 'small', bytes: 5, crc: 0x3610a686, at: 0 },
  ];
  const at = localRecord(large, null).length + large.bytes + descriptor(large, 7).length;
  const placed = [large, { ...small, at }];
  const second = Buffer.concat([localRecord(small, null), Buffer.from('hello'), descriptor(small, small.crc)]);
  const end = Buffer.concat([second, indexRecords(placed, at + second.length, true)]);
  assert.equal(at + end.length, zipBytes(placed));
  // The content of the first file is never read.
  const source = {
    size: at + end.length,
    read: async (from: number, to: number) => {
      const part = new Uint8Array(end.subarray(from - at, to - at));
      return new DataView(part.buffer);
    },
  };
  const tail = { ...source, read: (from: number, to: number) => source.read(Math.max(from, at), to) };
  const index = await readIndex(tail, texts);
  assert.deepEqual(
    index.map(({ path, start, size }) => [path, start, size]),
    [
      ['large', 0, large.bytes],
      ['small', at, 5],
    ],
  );
  assert.equal(await contentPlace(tail, index[1]!), at + localRecord(small, null).length);
});

test('[C89] an archive is read only as fast as it is taken, and a file of another length ends it', async () => {
  let read = 0;
  const endless = {
    path: 'long',
    bytes: 1_000 * 2 ** 16,
    stream: async () =>
      Readable.from(
        (function* () {
          for (; read < 1_000; read += 1) yield Buffer.alloc(2 ** 16);
        })(),
      ),
  };
  const stream = zipStream([endless]);
  const blocks = stream[Symbol.asyncIterator]();
  for (let taken = 0; taken < 10; taken += 1) await blocks.next();
  assert.ok(read < 100, `${read} blocks were read for 10 that were taken`);
  await blocks.return!();
  await assert.rejects(buffer(zipStream([{ ...file('a', 'four'), bytes: 5 }])), /a has 4 bytes, not 5/);
});
