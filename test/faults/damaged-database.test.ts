import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { SCHEMA_VERSION } from '../../src/store/migration/steps.ts';
import { createAsync, download, ended, seen, statusOf } from '../service/export-client.ts';
import { sampleRequest } from '../service/sample-request.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

let service: ServiceFixture;
let whole: Buffer;
let id: string;
let database: string;

before(async () => {
  service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
  ({ export_id: id } = await createAsync(service, sampleRequest()));
  await service.stop();
  database = join(service.folder, 'tiercut.db');
  whole = readFileSync(database);
});
after(() => service[Symbol.asyncDispose]());

/** Starts on the existing data; it must exit by itself, with a line that gives the reason, and change nothing. */
async function refuses(code: string, exitCode: number): Promise<string> {
  const [file, blobs, lines] = [hash(database), service.files('blobs'), service.lines.length];
  service.launch();
  await assert.rejects(service.listening());
  const why = (line: string) => line.startsWith(`${code}: `);
  const said = await seen(code, () => service.lines.slice(lines).find(why), 10);
  assert.equal(service.exitCode, exitCode);
  assert.deepEqual([hash(database), service.files('blobs')], [file, blobs]);
  return said;
}

function hash(file: string): string | null {
  const there = statSync(file, { throwIfNoEntry: false });
  return there === undefined ? null : createHash('sha256').update(readFileSync(file)).digest('hex');
}

test('[H31] a file that is not a database is refused and left unchanged', async () => {
  writeFileSync(database, Buffer.from('not a database at all, but a longer text. '.repeat(200)));
  await refuses('store.corrupt', 1);
});

test('[H31] a database with torn pages is refused and left unchanged', async () => {
  const torn = Buffer.from(whole);
  torn.fill(0xa5, 4096, whole.length - 4096);
  writeFileSync(database, torn);
  await refuses('store.corrupt', 1);
});

test('[H31] a truncated database is refused and left unchanged', async () => {
  writeFileSync(database, whole);
  truncateSync(database, Math.floor(whole.length / 2 / 4096) * 4096);
  await refuses('store.corrupt', 1);
});

test('[H31] a database of another schema version ends the start with one line, and is left unchanged', async () => {
  for (const version of [18, SCHEMA_VERSION + 1]) {
    writeFileSync(database, whole);
    {
      using other = new DatabaseSync(database);
      other.exec(`pragma user_version = ${version}`);
    }
    const said = await refuses('store.schema_mismatch', 4);
    assert.ok(said.includes(`${service.folder} has schema ${version}`), said);
    if (version > SCHEMA_VERSION) assert.match(said, /newer than this release.*Start the newer release/);
    else assert.match(said, /can migrate schema 19 and newer ones/);
    assert.match(said, /name an empty folder in TIERCUT_DATA_DIR\.$/);
  }
});

test('[H31] files whose records are lost are not removed', async () => {
  for (const lost of [() => rmSync(database), () => writeFileSync(database, '')]) {
    lost();
    await refuses('store.records_missing', 1);
  }
});

test('[H31] once its database is restored, the service continues', async () => {
  writeFileSync(database, whole);
  await service.start();
  assert.equal((await statusOf(service, id)).export_id, id);
  await download(service, await ended(service, id), 'preset_one');
});
