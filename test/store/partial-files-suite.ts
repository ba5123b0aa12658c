import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { PartialFiles } from '../../src/store/partial-files.ts';

/** What every `PartialFiles` must do; `open` gives those of one more node each time it is called for a test. */
export function partialFilesSuite(
  adapter: string,
  open: (t: TestContext) => Promise<() => Promise<PartialFiles>>,
): void {
  test(`${adapter}: synced bytes are there for the next writer, on another node too; the rest is cut off`, async (t) => {
    const node = await open(t);
    {
      await using file = await (await node()).create('upload-1');
      await file.append(Buffer.from('first, '));
      await file.append(Buffer.from('second, '));
      await file.sync();
      await file.append(Buffer.from('third, '));
      await file.sync();
      await file.append(Buffer.from('not safe'));
      assert.equal(file.bytes, 30);
      assert.equal(await text(file.read()), 'first, second, third, not safe');
    }
    {
      await using file = await (await node()).resume('upload-1', 22);
      assert.equal(file!.bytes, 22);
      assert.equal(await text(file!.read()), 'first, second, third, ');
      await file!.append(Buffer.from('fourth'));
      await file!.sync();
      assert.equal(await readFile(file!.path, 'utf8'), 'first, second, third, fourth');
    }
    await using file = await (await node()).resume('upload-1', 28);
    assert.equal(await text(file!.read()), 'first, second, third, fourth');
  });

  test(`${adapter}: a writer can continue before the end of the stored bytes, and its bytes count`, async (t) => {
    const node = await open(t);
    {
      await using file = await (await node()).create('a');
      await file.append(Buffer.from('0123456789'));
      await file.sync();
    }
    {
      await using file = await (await node()).resume('a', 4);
      assert.equal(await text(file!.read()), '0123');
      await file!.append(Buffer.from('abcdefgh'));
      await file!.sync();
    }
    await using file = await (await node()).resume('a', 12);
    assert.equal(await text(file!.read()), '0123abcdefgh');
  });

  test(`${adapter}: lost bytes are never reported as stored`, async (t) => {
    const node = await open(t);
    const files = await node();
    assert.equal(await files.resume('none', 1), null);
    {
      await using file = await files.create('a');
      await file.append(Buffer.from('123'));
      await file.sync();
    }
    assert.equal(await files.resume('a', 4), null);
    await using file = await files.resume('a', 3);
    assert.equal(file?.bytes, 3);
  });

  test(`${adapter}: a deleted file is gone, and its neighbours stay`, async (t) => {
    const node = await open(t);
    const files = await node();
    for (const name of ['a', 'ab', 'b']) {
      await using file = await files.create(name);
      await file.append(Buffer.from(name));
      await file.sync();
    }
    assert.deepEqual((await files.list()).sort(), ['a', 'ab', 'b']);
    await files.delete('a');
    await files.delete('a');
    assert.deepEqual((await files.list()).sort(), ['ab', 'b']);
    assert.equal(await files.resume('a', 1), null);
    await using file = await files.resume('ab', 2);
    assert.equal(await text(file!.read()), 'ab');
  });
}
