import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { Freeing } from '../../../src/exports/freeing.ts';
import { RESERVE_BYTES } from '../../../src/store/nodes/room-reserve.ts';
import { ReserveFile } from '../../../src/store/sqlite/reserve-file.ts';
import { SmallDisk } from '../../faults/small-disk.ts';
import { tempFolder } from '../temp-folder.ts';

const NO_MOUNT = 'only who may mount can have a small disk';

test('[H27] the reserve takes space while there is enough, and releases it at a start on a full disk', async (t) => {
  using disk = SmallDisk.mount(24);
  if (disk === null) return t.skip(NO_MOUNT);
  const file = join(disk.folder, 'reserve');
  disk.fill(2 * RESERVE_BYTES - 1_000_000);
  const reserve = await ReserveFile.open(disk.folder);
  await reserve.takeBack();
  assert.deepEqual([reserve.missingBytes, existsSync(file)], [RESERVE_BYTES, false], 'the rest would be too little');
  disk.free();
  await Promise.all([reserve.takeBack(), reserve.takeBack()]);
  assert.deepEqual([reserve.missingBytes, statSync(file).blocks * 512], [0, RESERVE_BYTES]);
  assert.equal((await ReserveFile.open(disk.folder)).missingBytes, 0, 'found again');
  disk.fill(0);
  assert.equal((await ReserveFile.open(disk.folder)).missingBytes, RESERVE_BYTES);
  assert.equal(existsSync(file), false);

  disk.free();
  const cut = await ReserveFile.open(disk.folder);
  await cut.takeBack();
  truncateSync(file, 1000);
  assert.equal((await ReserveFile.open(disk.folder)).missingBytes, RESERVE_BYTES, 'part of it is none');
});

test('[H27] the reserve is released if taking it back fails meanwhile', async (t) => {
  const folder = tempFolder(t);
  const reserve = await ReserveFile.open(folder);
  rmSync(folder, { recursive: true });
  const taken = assert.rejects(reserve.takeBack(), ExportError);
  await reserve.giveUp();
  await taken;
  assert.equal(reserve.missingBytes, RESERVE_BYTES);
});

test('[H27] work that frees space is retried with the reserve if there is none, and only then', async () => {
  const logged: string[] = [];
  const reserve = { missingBytes: 0, giveUp: async () => {}, takeBack: async () => {} };
  const given: string[] = [];
  reserve.giveUp = async () => {
    given.push('given up');
    reserve.missingBytes = RESERVE_BYTES;
  };
  const freeing = new Freeing({ reserve, log: (_level, message) => logged.push(message) });
  const full = new ExportError('unavailable', 'store.disk_full', 'full');
  const work = async () => {
    if (reserve.missingBytes === 0) throw full;
    return 'freed';
  };
  const other = new Error('a bug');
  await assert.rejects(
    freeing.run(() => Promise.reject(other)),
    other,
  );
  assert.deepEqual(given, []);
  assert.deepEqual([await freeing.run(work), await freeing.run(work)], ['freed', 'freed']);
  assert.deepEqual([given.length, logged.length], [1, 1]);
  await assert.rejects(
    freeing.run(() => Promise.reject(full)),
    full,
  );
  reserve.missingBytes = 0;
  await freeing.refill();
  assert.equal(logged.at(-1), 'disk no longer full');
  await assert.rejects(
    new Freeing({ reserve: null, log: () => {} }).run(() => Promise.reject(full)),
    full,
  );
});
