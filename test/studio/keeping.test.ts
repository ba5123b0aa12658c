import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { readZip, writeZip } from '../../src/archive/zip-file.ts';
import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import { EMPTY_PROJECT } from '../../src/studio/document/project.ts';
import { MAX_VERSIONS, type Version, withVersion } from '../../src/studio/document/versions.ts';
import { curlCommand } from '../../src/studio/export/export-words.ts';
import { whyRefused } from '../../src/studio/media/refused-file.ts';
import * as zipTexts from '../../src/studio/texts/en/zip-file.ts';

test('twenty versions are kept, one for each minute of work', () => {
  let versions: readonly Version[] = [];
  for (let second = 0; second < 3600; second += 10) {
    versions = withVersion(versions, { ...EMPTY_PROJECT, media: { at: String(second) } }, second * 1000);
  }
  assert.equal(versions.length, MAX_VERSIONS);
  assert.equal(versions.at(-1)!.project.media.at, '3590');
  const minutes = versions.map(({ atMs }) => atMs / 60_000);
  assert.deepEqual(
    minutes,
    Array.from({ length: 20 }, (_, i) => 40 + i),
  );
  assert.equal(withVersion(versions, versions.at(-1)!.project, 9e9), versions);
});

const MAX_BYTES = 1_000_000;

test('files in a .zip are read back unchanged, and its index has their sizes', async () => {
  const path = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((name) => !name.endsWith('/'));
  const files = fc.uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 300 }) }), {
    selector: (file) => file.path.normalize(),
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(files, async (entries) => {
      const archive = await writeZip(entries.map(({ path, bytes }) => ({ path, file: new Blob([bytes.slice()]) })));
      const read = await readZip(archive, zipTexts);
      assert.deepEqual(
        [...read.keys()],
        entries.map(({ path }) => new TextDecoder().decode(new TextEncoder().encode(path))),
      );
      for (const [i, open] of [...read.values()].entries()) {
        assert.deepEqual(
          new Uint8Array(await (await open(MAX_BYTES)).arrayBuffer()),
          new Uint8Array(entries[i]!.bytes),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('archives of other programs are read; those with a false size or damage are refused', async () => {
  const text = 'a tier list '.repeat(500);
  const packed = deflateRawSync(text);
  const sum = crc32(text);
  const whole = packedZip('project.json', packed, text.length, sum);
  const opened = async (archive: Blob, most = MAX_BYTES) =>
    (await readZip(archive, zipTexts)).get('project.json')!(most);
  assert.equal(await (await opened(whole)).text(), text);
  await assert.rejects(opened(packedZip('project.json', packed, 10, sum)), /contains more than it declares/);
  await assert.rejects(opened(packedZip('project.json', packed, text.length + 1, sum)), /damaged: project\.json/);
  await assert.rejects(opened(packedZip('project.json', packed, text.length, sum + 1)), /damaged: project\.json/);
  await assert.rejects(opened(whole, 100), /has 6000 bytes. The limit is 100/);
  await assert.rejects(readZip(new Blob(['no archive at all']), zipTexts), /not a \.zip file/);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
      const damaged = bytes.slice();
      damaged[at] = byte;
      const unpacked = readZip(new Blob([damaged]), zipTexts).then((files) =>
        Promise.all([...files.values()].map((open) => open(MAX_BYTES))),
      );
      await unpacked.catch((error: unknown) => assert.ok(error instanceof RangeError || error instanceof TypeError));
    }),
    { numRuns: 100 },
  );
});

test('the request as a curl command is correctly quoted, whatever its content', () => {
  const text = `{"title":"it's \\"$HOME\\" \`ls\` \\\\ !x\nthe end"}`;
  const command = curlCommand('http://x', { tier_list: text }, false).replace(/^curl -s/, 'printf "%s|"');
  const said = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('|');
  assert.deepEqual(said.slice(0, 5), [
    'http://x/video/exports',
    '-H',
    'Prefer: respond-async',
    '--form-string',
    `tier_list=${text}`,
  ]);
});

/** An archive of one deflated file, as other programs make it, that says it has `size` bytes and this check sum. */
function packedZip(name: string, packed: Uint8Array, size: number, crc: number): Blob {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(crc, 16);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return new Blob([local, name, packed.slice(), central, name, end]);
}

test('unusable input is refused with a text; input that the service may understand is kept', () => {
  const limits = { maxFileBytes: 1_000_000_000, maxImageFileBytes: 50_000_000 };
  const why = (name: string, type: string, kind: MediaFacts['kind'] = 'unreadable', size = 1000) =>
    whyRefused({ name, type, size }, kind, limits);
  for (const [name, type] of [
    ['old.avi', 'video/x-msvideo'],
    ['beach.heic', ''],
    ['letters.woff2', 'font/woff2'],
    ['stream.ts', ''],
    ['unknown', ''],
  ] as const) {
    assert.equal(why(name, type), null, name);
  }
  assert.equal(why('notes.txt', 'text/plain'), 'notes.txt is not a picture, a clip or a sound.');
  assert.equal(why('report.docx', ''), 'report.docx is not a picture, a clip or a sound.');
  assert.match(why('broken.jpg', 'image/jpeg')!, /damaged/);
  assert.equal(why('list.txt', 'text/plain', 'audio'), null, 'what can be read is what it is');
  assert.equal(
    why('film.mov', 'video/quicktime', 'video', 2_300_000_000),
    'film.mov is too large (2.3 GB). The limit is 1.0 GB.',
  );
  assert.match(why('scan.png', 'image/png', 'still', 60_000_000)!, /\(60 MB\)\. The limit is 50 MB/);
});
