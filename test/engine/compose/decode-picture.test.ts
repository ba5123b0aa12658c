import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AVCOL_PRI_SMPTE432, AVCOL_SPC_YCGCO, AVCOL_TRC_LOG_SQRT } from 'node-av/constants';
import { decodeToRgba, type RgbaPicture } from '../../../src/engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import {
  type CodedPicture,
  clap,
  codePicture,
  type HeifOptions,
  heifFile,
  iccProfile,
  imir,
  irot,
  nclx,
  type Pixels,
} from '../../fixtures/heif-file.ts';
import { type TiffOptions, tiffFile } from '../../fixtures/tiff-file.ts';
import { p3Profile } from './p3-photo.ts';
import { patchClip } from './patch-clip.ts';

const limits = DEFAULT_MEDIA_LIMITS;
type Rgba = readonly [r: number, g: number, b: number, a: number];

const RED: Rgba = [200, 30, 30, 255];
const GREEN: Rgba = [30, 160, 60, 255];
const BLUE: Rgba = [40, 60, 200, 255];
const WHITE: Rgba = [240, 240, 240, 255];

/** Upper left, upper right, lower left, lower right. */
type Quarters = readonly [Rgba, Rgba, Rgba, Rgba];
const QUARTERS: Quarters = [RED, GREEN, BLUE, WHITE];

function plain(width: number, height: number, colorAt: (x: number, y: number) => Rgba): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgba.set(colorAt(x, y), (y * width + x) * 4);
  return { width, height, rgba };
}

function quartered(width: number, height: number, quarters: Quarters = QUARTERS): Pixels {
  return plain(width, height, (x, y) => quarters[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!);
}

let files = 0;

async function saved(bytes: Buffer): Promise<string> {
  const file = join(clipFolder(), `picture-${files++}`);
  await writeFile(file, bytes);
  return file;
}

async function decoded(bytes: Buffer, maxPx = 4096): Promise<RgbaPicture> {
  return decodeToRgba(await saved(bytes), { limits, maxPx });
}

function pixel({ rgba, width }: RgbaPicture, x: number, y: number): number[] {
  return [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

function assertNear(found: readonly number[], wanted: Rgba, what = '', tolerance = 6): void {
  const near = found.every((value, n) => Math.abs(value - wanted[n]!) <= tolerance);
  assert.ok(near, `${what}: ${found} instead of ${wanted}`);
}

function assertQuarters(picture: RgbaPicture, quarters: Quarters): void {
  const { width, height } = picture;
  for (const [n, color] of quarters.entries()) {
    const [x, y] = [n % 2 === 0 ? width / 4 : (width * 3) / 4, n < 2 ? height / 4 : (height * 3) / 4];
    assertNear(pixel(picture, Math.floor(x), Math.floor(y)), color, `quarter ${n}`);
  }
}

for (const type of ['hvc1', 'av01'] as const) {
  describe(`${type === 'hvc1' ? 'HEIC' : 'AVIF'}`, () => {
    let whole: Promise<CodedPicture> | undefined;
    const one = async (options: Omit<HeifOptions, 'tiles'> = {}) => {
      whole ??= codePicture(type, quartered(128, 96));
      return heifFile({ tiles: [await whole], ...options });
    };

    test('a picture without tiles has the right colours', async () => {
      const picture = await decoded(await one());
      assert.deepEqual([picture.width, picture.height], [128, 96]);
      assertQuarters(picture, QUARTERS);
    });

    test('[R7] tiles are assembled, and what exceeds the picture is cut off', async () => {
      const tiles: CodedPicture[] = [];
      const chart = quartered(128 * 3 - 30, 96 * 2 - 26);
      for (const [column, row] of [0, 1].flatMap((r) => [0, 1, 2].map((c) => [c, r] as const))) {
        const at = (x: number, y: number): Rgba => {
          const [across, down] = [
            Math.min(column * 128 + x, chart.width - 1),
            Math.min(row * 96 + y, chart.height - 1),
          ];
          const start = (down * chart.width + across) * 4;
          return [...chart.rgba.subarray(start, start + 4)] as unknown as Rgba;
        };
        tiles.push(await codePicture(type, plain(128, 96, at)));
      }
      const picture = await decoded(
        heifFile({ tiles, grid: { columns: 3, width: chart.width, height: chart.height } }),
      );
      assert.deepEqual([picture.width, picture.height], [chart.width, chart.height]);
      assertQuarters(picture, QUARTERS);
      // Every tile is at its position, not only the four in the corners.
      assertNear(pixel(picture, chart.width / 2 - 8, 40), RED, 'left of the middle');
      assertNear(pixel(picture, chart.width / 2 + 8, 40), GREEN, 'right of the middle');
    });

    test('[R7] it is rotated and mirrored as its properties say, in their order', async () => {
      const [a, b, c, d] = QUARTERS;
      const turned = await decoded(await one({ properties: [irot(1)] }));
      assert.deepEqual([turned.width, turned.height], [96, 128]);
      assertQuarters(turned, [b, d, a, c]);
      assertQuarters(await decoded(await one({ properties: [irot(3)] })), [c, a, d, b]);
      assertQuarters(await decoded(await one({ properties: [imir(1)] })), [b, a, d, c]);
      assertQuarters(await decoded(await one({ properties: [imir(0)] })), [c, d, a, b]);
      assertQuarters(await decoded(await one({ properties: [irot(1), imir(1)] })), [d, b, c, a]);
      assertQuarters(await decoded(await one({ properties: [imir(1), irot(1)] })), [a, c, b, d]);
    });

    test('a crop is applied', async () => {
      const picture = await decoded(await one({ properties: [clap(40, 30, 20, -16)] }));
      assert.deepEqual([picture.width, picture.height], [40, 30]);
      assertNear(pixel(picture, 20, 8), GREEN);
    });

    test('[R7] its alpha is kept, and it is a transparent still', async () => {
      const faint = [200, 30, 30, 128] as const;
      const pixels = quartered(128, 96, [faint, GREEN, [0, 0, 0, 0], WHITE]);
      const tiles = [await codePicture(type, pixels)];
      const file = await saved(heifFile({ tiles, alpha: [await codePicture(type, pixels, { plane: 'alpha' })] }));
      const picture = await decodeToRgba(file, { limits, maxPx: 4096 });
      assertNear(pixel(picture, 32, 24), faint);
      assertNear(pixel(picture, 96, 24), GREEN);
      assert.ok(pixel(picture, 32, 72)[3]! < 4);
      const small = await decodeToRgba(file, { limits, maxPx: 48 });
      assert.deepEqual([small.width, small.height], [64, 48]);
      assertNear(pixel(small, 16, 12), faint);
      const { kind, facts } = await probe(file, limits);
      assert.deepEqual([kind, facts.alpha], ['still', true]);
    });

    test('[R7] its alpha may have more or fewer bits than its colours', async () => {
      const faint = [200, 30, 30, 128] as const;
      const pixels = quartered(128, 96, [faint, GREEN, [0, 0, 0, 0], WHITE]);
      for (const [pixelFormat, alphaFormat] of [
        ['yuv420p10le', 'yuv420p'],
        ['yuv420p', 'yuv420p10le'],
      ] as const) {
        const tiles = [await codePicture(type, pixels, { pixelFormat })];
        const alpha = [await codePicture(type, pixels, { plane: 'alpha', pixelFormat: alphaFormat })];
        const picture = await decoded(heifFile({ tiles, alpha }));
        assertNear(pixel(picture, 32, 24), faint, `${pixelFormat} with ${alphaFormat}`);
        assertNear(pixel(picture, 96, 24), GREEN);
        assert.ok(pixel(picture, 32, 72)[3]! < 4);
      }
    });

    test('a fully opaque alpha hides the layers below', async () => {
      const pixels = quartered(128, 96);
      const tiles = [await codePicture(type, pixels)];
      const alpha = [await codePicture(type, pixels, { plane: 'alpha' })];
      assert.equal((await probe(await saved(heifFile({ tiles, alpha })), limits)).facts.alpha, false);
    });

    test('[R7] Display P3 is shown in its own colours, by profile or by code points', async () => {
      // What P3 calls (200, 100, 60), sRGB calls (215, 93, 47).
      const pixels = plain(64, 64, () => [200, 100, 60, 255]);
      const tiles = [await codePicture(type, pixels)];
      for (const property of [iccProfile(p3Profile()), nclx(12, 13, 6, true)]) {
        const picture = await decoded(heifFile({ tiles, properties: [property] }));
        assertNear(pixel(picture, 32, 32), [215, 93, 47, 255]);
      }
      assertNear(pixel(await decoded(heifFile({ tiles })), 32, 32), [200, 100, 60, 255]);
    });

    test('ten bits give the same colours as eight', async () => {
      const tiles = [await codePicture(type, quartered(128, 96), { pixelFormat: 'yuv420p10le' })];
      assertQuarters(await decoded(heifFile({ tiles })), QUARTERS);
    });

    test('an inconsistent file is refused, and never shown in part', async () => {
      const tile = await codePicture(type, quartered(128, 96));
      const tiles = [tile, tile, tile, tile];
      const grid = { columns: 2, width: 256, height: 192 };
      const refused = async (options: HeifOptions, code: string) =>
        assert.rejects(decoded(heifFile(options)), { code }, code);
      await refused({ tiles, grid: { ...grid, width: 8_064, height: 6_048 } }, 'media.unreadable');
      await refused({ tiles, grid: { ...grid, rows: 255 } }, 'media.unreadable');
      await refused({ tiles, grid: { ...grid, width: 60_000, height: 60_000 } }, 'media.too_many_pixels');
      const torn = { ...tile, data: Buffer.alloc(tile.data.length, 0x5a) };
      await refused({ tiles: [tile, tile, tile, torn], grid }, 'media.no_frames');
      const { kind, problem } = await probe(await saved(heifFile({ tiles: [torn] })), limits);
      assert.deepEqual([kind, problem], ['unreadable', 'media.no_frames']);
    });
  });
}

describe('TIFF', () => {
  const [a, b, c, d] = QUARTERS;
  const made = (options: Partial<TiffOptions> = {}, quarters: Quarters = QUARTERS) => {
    const { width, height, rgba } = quartered(40, 20, quarters);
    const channels = options.channels ?? 3;
    const samples = rgba.filter((_, n) => n % 4 < channels);
    return tiffFile({ width, height, channels, samples, ...options });
  };

  test('pictures have the right colours, compressed or not, in either byte order', async () => {
    for (const order of ['II', 'MM'] as const) {
      assertQuarters(await decoded(made({ order })), QUARTERS);
      assertQuarters(await decoded(made({ order, deflate: true })), QUARTERS);
    }
  });

  test('[R7] they are rotated and mirrored by their orientation', async () => {
    const wanted: Quarters[] = [
      [a, b, c, d],
      [b, a, d, c],
      [d, c, b, a],
      [c, d, a, b],
      [a, c, b, d],
      [c, a, d, b],
      [d, b, c, a],
      [b, d, a, c],
    ];
    for (const [n, quarters] of wanted.entries()) {
      assertQuarters(await decoded(made({ orientation: n + 1 })), quarters);
    }
  });

  test('[R7] their alpha is kept', async () => {
    const picture = await decoded(made({ channels: 4 }, [[200, 30, 30, 128], b, c, [0, 0, 0, 0]]));
    assertQuarters(picture, [[200, 30, 30, 128], b, c, [0, 0, 0, 0]]);
  });

  test('the first of several pages is shown, whatever their number', async () => {
    const file = await saved(made({ pages: 60_000 }));
    const { kind, facts } = await probe(file, limits);
    assert.deepEqual([kind, facts.width, facts.height], ['still', 40, 20]);
    assertQuarters(await decodeToRgba(file, { limits, maxPx: 4096 }), QUARTERS);
  });

  test('a size over the limit is refused by the header', async () => {
    await assert.rejects(decoded(made({ claims: { width: 60_000, height: 60_000 } })), {
      code: 'media.too_many_pixels',
    });
    await assert.rejects(decoded(made({ claims: { width: 20_000, height: 2 } })), { code: 'media.too_many_pixels' });
  });
});

const photo = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'media', 'sample_still_photo.heic');
test('a real photograph', {
  skip: !existsSync(photo) && 'the folder of real media is not here',
}, async () => {
  const { kind, facts } = await probe(photo, limits);
  assert.deepEqual([kind, facts.width, facts.height], ['still', 1080, 1920]);
  const picture = await decodeToRgba(photo, { limits, maxPx: 540 });
  assert.deepEqual([picture.width, picture.height], [540, 960]);
});

for (const [name, options] of [
  ['YCgCo', { matrix: AVCOL_SPC_YCGCO }],
  ['a rare transfer', { tags: { transfer: AVCOL_TRC_LOG_SQRT } }],
  ['a wide gamut', { primaries: AVCOL_PRI_SMPTE432 }],
] as const) {
  test(`[R7] pictures with odd sides in ${name}, transparent or not, can be shown`, async () => {
    for (const pixelFormat of ['yuv444p', 'yuva444p'] as const) {
      const patches = [WHITE, WHITE].map(([red, green, blue]) => [red, green, blue] as const);
      const alphas = pixelFormat === 'yuva444p' ? [255, 100] : [255, 255];
      const file = await patchClip({ patches, alphas, width: 201, height: 101, pixelFormat, ...options });
      const picture = await decodeToRgba(file, { limits, maxPx: 51 });
      assertNear(pixel(picture, 10, 20), WHITE);
      assertNear(pixel(picture, picture.width - 10, 20), [240, 240, 240, alphas[1]!]);
    }
  });
}
