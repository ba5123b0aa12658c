import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { acceptedClips } from './accepted-clips.ts';
import { JailedLane } from './jailed-lane.ts';

/** In front of the size in a VP9 key frame. */
const SYNC_CODE = Buffer.from([0x49, 0x83, 0x42]);

/** Every key frame of profile 0 says that it is 16,384 pixels wide and high. */
function inflated(webm: Buffer): Buffer {
  const bytes = Buffer.from(webm);
  for (let at = bytes.indexOf(SYNC_CODE); at >= 0; at = bytes.indexOf(SYNC_CODE, at + 1)) {
    // Behind the code come four bits of colour, then 16 of the width less 1, and as many of the height.
    bytes[at + 3] = (bytes[at + 3]! & 0xf0) | 0x3;
    bytes.set([0xff, 0xf3, 0xff], at + 4);
    bytes[at + 7]! |= 0xf0;
  }
  return bytes;
}

test('[H11] a WebM with alpha whose frames claim 268 megapixels is refused before memory is allocated for them', async () => {
  const clip = (await acceptedClips()).get('webm vp9 alpha');
  assert.ok(clip);
  assert.ok(clip.includes(SYNC_CODE));
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-bomb-'));
  try {
    const file = join(folder, 'bomb');
    writeFileSync(file, inflated(clip));
    await using lane = new JailedLane();
    const [outcome] = await lane.run([file]);
    assert.notEqual(outcome!.result, 'rendered');
    assert.equal(lane.childrenLost, 0);
    assert.ok(lane.peakRssBytes < 300 * 2 ** 20, `${lane.peakRssBytes} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
