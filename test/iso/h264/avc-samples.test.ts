import assert from 'node:assert/strict';
import { test } from 'node:test';
import { avcConfig, withLevel } from '../../../src/iso/h264/avc-samples.ts';
import { joinByteStream } from '../../../src/iso/h264/nal-units.ts';

test('[R24] parameter sets that differ in their level become the same, and nothing else changes', () => {
  const pps = Uint8Array.of(0x68, 0xee, 0x3c, 0x80);
  const configOf = (level: number, rest: number) =>
    avcConfig(joinByteStream(withLevel([Uint8Array.of(0x67, 0x64, 0x0c, level, rest, 0xd9), pps], 30)));
  assert.deepEqual(configOf(11, 0xac), configOf(12, 0xac));
  assert.deepEqual(
    [...configOf(11, 0xac).subarray(0, 14)],
    [1, 100, 12, 30, 0xff, 0xe1, 0, 6, 0x67, 100, 12, 30, 0xac, 0xd9],
  );
  assert.notDeepEqual(configOf(11, 0xac), configOf(11, 0xad));
});
