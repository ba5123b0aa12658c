import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowKeys } from '../../../src/studio/document/performance.ts';
import { wholeBytes } from '../../../src/studio/take/record/take-parts.ts';

function box(type: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32BE(length);
  bytes.write(type, 4, 'latin1');
  return bytes;
}

test('a recording that is cut off anywhere ends with its last complete fragment', async () => {
  const boxes = [box('ftyp', 24), box('moov', 80), box('moof', 40), box('mdat', 60), box('moof', 40), box('mdat', 90)];
  const file = Buffer.concat(boxes);
  const ends = [204, 334];
  for (let length = 0; length <= file.length; length += 1) {
    const whole = await wholeBytes(new Blob([file.subarray(0, length)]));
    assert.equal(whole, ends.findLast((end) => end <= length) ?? 0, `cut at ${length}`);
  }
  const webm = Buffer.from('1a45dfa3010000000000001f4286810142f78101', 'hex');
  assert.equal(await wholeBytes(new Blob([webm])), webm.length, 'another format is taken as it is');
});

test('a row has the key of its letter if that is unique, else its number; P pauses', () => {
  const rows = [
    { id: 'one', label: 'S' },
    { id: 'two', label: 's' },
    { id: 'three', label: 'P' },
    { id: 'four', label: 'Great' },
    { id: 'five' },
  ];
  assert.deepEqual([...rowKeys(rows).entries()].sort(), [
    ['five', '5'],
    ['four', '4'],
    ['one', 's'],
    ['three', '3'],
    ['two', '2'],
  ]);
});
