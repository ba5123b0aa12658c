import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ExportError } from '../../../src/errors.ts';
import { codePicture, heifFile, pixelsOf } from '../../fixtures/heif-file.ts';
import { tiffFile } from '../../fixtures/tiff-file.ts';
import { animatedPng, gif, greyPng, packedChunks, webp, webpAnimation } from '../files/picture-bombs.ts';
import { JailedLane } from './jailed-lane.ts';

const MAX_RSS_BYTES = 300 * 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), 'tiercut-bombs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const UNPACKED_BYTES = 400 * 2 ** 20;

/** By their effect on a decoder that believes them. */
const BOMBS: Readonly<Record<string, () => readonly Buffer[] | Promise<readonly Buffer[]>>> = {
  'pictures of thousands of megapixels': () => [
    greyPng(30_000, 30_000),
    gif([65_535, 65_535], [65_535, 65_535], 1),
    gif([16, 16], [65_535, 65_535], 1),
    webp(16_384, 16_384),
    webpAnimation([16_777_216, 16_777_216], 2),
  ],
  'HEIC and AVIF that claim grids of gigapixels': async () => {
    const made: Buffer[] = [];
    for (const type of ['hvc1', 'av01'] as const) {
      const tile = await codePicture(type, pixelsOf(64, 64));
      const many = (count: number) => Array.from({ length: count }, () => tile);
      const vast = { ...tile, width: 60_000, height: 60_000 };
      made.push(
        heifFile({ tiles: many(4), grid: { columns: 2, width: 60_000, height: 60_000 } }),
        heifFile({ tiles: many(1000), grid: { columns: 250, width: 16_000, height: 256 } }),
        heifFile({ tiles: [vast] }),
        heifFile({ tiles: [vast, vast], grid: { columns: 2, width: 60_001, height: 100 } }),
        heifFile({ tiles: [tile], alpha: [vast] }),
      );
    }
    return made;
  },
  'TIFFs of gigapixels, and of a hundred thousand pages': () => {
    const small = { width: 16, height: 16, channels: 3, samples: new Uint8Array(16 * 16 * 3) } as const;
    return [
      tiffFile({ ...small, claims: { width: 60_000, height: 60_000 } }),
      tiffFile({ ...small, claims: { width: 4_000_000_000, height: 1 } }),
      tiffFile({ ...small, pages: 100_000 }),
    ];
  },
  'animations of 10,000 frames': () => [
    gif([16, 16], [16, 16], 10_000),
    animatedPng(16, 16, 10_000),
    webpAnimation([16, 16], 10_000),
  ],
  'a colour profile of 400 MB in a PNG of 1 MB': () => [greyPng(16, 16, packedChunks(UNPACKED_BYTES).iCCP)],
  'a comment of 400 MB in a PNG of 1 MB': () => [greyPng(16, 16, packedChunks(UNPACKED_BYTES).zTXt)],
};

for (const [what, make] of Object.entries(BOMBS)) {
  test(`[H11] ${what} cost a child less than 300 MB`, async (t) => {
    const files = (await make()).map((bytes, n) => {
      const file = join(folder, `${n}`);
      writeFileSync(file, bytes);
      return file;
    });
    await using lane = new JailedLane();
    for (const { result } of await lane.run(files)) {
      t.diagnostic(result instanceof ExportError ? result.code : result);
    }
    t.diagnostic(`${Math.round(lane.peakRssBytes / 2 ** 20)} MB`);
    assert.equal(lane.childrenLost, 0);
    assert.ok(lane.peakRssBytes < MAX_RSS_BYTES, `${lane.peakRssBytes} bytes`);
  });
}
