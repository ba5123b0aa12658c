import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodeToRgba } from '../../../src/engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../../src/image-header/image-header.ts';
import { CardPicture } from '../../../src/paint/draw/card/item-pictures.ts';
import { BoardPainter } from '../../../src/paint/draw/layer/board-painter.ts';
import { readPixels } from '../../../src/paint/draw/read-pixels.ts';
import { boardRoom, layoutBoard } from '../../../src/paint/layout/board-layout.ts';
import { flattenedBoard } from '../../../src/paint/pixels/flattened-board.ts';
import { createSkiaMeasure, createSkiaSurface, type SkiaSurface } from '../../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import { decodePicture as loadPicture } from '../../../src/paint/skia/skia-pictures.ts';
import { SvgRasterizer } from '../../../src/paint/svg/svg-rasterizer.ts';
import { boardStateAt, inRows } from '../../../src/plan/reveal/board-state.ts';
import { MIDNIGHT } from '../../../src/plan/theme/midnight.ts';
import { frames } from '../../../src/time.ts';
import { codePicture, heifFile, pixelsOf } from '../../fixtures/heif-file.ts';
import { svgFile } from '../../fixtures/svg-file.ts';
import { tiffFile } from '../../fixtures/tiff-file.ts';
import { picture, plan } from '../../request-builder.ts';
import { bmpOf, jpegTurned, pngClaiming } from '../picture-files.ts';
import { drawLandscape, SamplePictures } from '../sample-pictures.ts';
import { sampleBar, samplePlan, sampleScene, sampleSubtitle } from '../sample-plan.ts';

const CANVAS = { width: 640, height: 360 };

/** References that were read in a turn of the event loop are held until it ends. */
async function collectGarbage(): Promise<void> {
  await setImmediate();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('pictures of items', () => {
  /** Red, green, blue and white quarters, from the left top clockwise; the blue one may be a hole. */
  function quarters(width: number, height: number, hole = false): SkiaSurface {
    const surface = createSkiaSurface(width, height);
    const { context } = surface;
    const fill = (color: string, x: number, y: number) => {
      context.fillStyle = color;
      context.fillRect((x * width) / 2, (y * height) / 2, width / 2, height / 2);
    };
    fill('#ff0000', 0, 0);
    fill('#00ff00', 1, 0);
    if (!hole) fill('#0000ff', 1, 1);
    fill('#ffffff', 0, 1);
    return surface;
  }

  /** The corners' colours after loading, from the left top clockwise, each channel as 0 or 1. */
  async function corners(pictures: SamplePictures, field: string): Promise<string[]> {
    await using drawings = new SvgRasterizer();
    const decoded = await loadPicture(pictures.files.get(field)!, 512, {
      limits: DEFAULT_IMAGE_LIMITS,
      drawings,
      decode: (path, maxPx) => decodeToRgba(path, { limits: DEFAULT_MEDIA_LIMITS, maxPx }),
    });
    const size = { width: 40, height: 40 };
    const uses = { sizes: [size], framings: [{ fit: 'cover' as const }], others: false, maxPx: 512 };
    const picture = new CardPicture(decoded, uses, createSkiaSurface);
    const surface = createSkiaSurface(40, 40);
    surface.context.drawImage(picture.card(size, { fit: 'cover' }), 0, 0, 40, 40);
    const rgba = readPixels(surface);
    return (
      [
        [8, 8],
        [31, 8],
        [31, 31],
        [8, 31],
      ] as const
    ).map(([x, y]) =>
      [...rgba.subarray((y * 40 + x) * 4, (y * 40 + x) * 4 + 4)].map((value) => (value > 127 ? 1 : 0)).join(''),
    );
  }

  const [RED, GREEN, BLUE, WHITE, HOLE] = ['1001', '0101', '0011', '1111', '0000'];

  test('[R11] every format is decoded and cropped to its middle, never stretched', async () => {
    using pictures = new SamplePictures(0);
    const { bitmap } = quarters(200, 100);
    pictures.add('png', bitmap.toBuffer('image/png'));
    pictures.add('jpeg', bitmap.toBuffer('image/jpeg'));
    pictures.add('webp', bitmap.toBuffer('image/webp'));
    pictures.add('gif', bitmap.toBuffer('image/gif'));
    pictures.add('avif', await bitmap.encode('avif'));
    for (const field of pictures.files.keys()) {
      assert.deepEqual(await corners(pictures, field), [RED, GREEN, BLUE, WHITE], field);
    }
    pictures.add('bmp', bmpOf(30, 20));
    assert.deepEqual(await corners(pictures, 'bmp'), [WHITE, WHITE, WHITE, WHITE]);
  });

  test('[R11] formats that Skia cannot decode use other decoders: HEIC, AVIF, TIFF, SVG, with transparency', async () => {
    using pictures = new SamplePictures(0);
    const surface = quarters(200, 100, true);
    const rgba = readPixels(surface);
    const pixels = { width: 200, height: 100, rgba };
    for (const type of ['hvc1', 'av01'] as const) {
      const alpha = [await codePicture(type, pixels, { plane: 'alpha' })];
      pictures.add(type, heifFile({ tiles: [await codePicture(type, pixels)], alpha }));
    }
    pictures.add('tiff', tiffFile({ ...pixels, channels: 4, samples: rgba }));
    const rects = [
      ['#f00', 0, 0],
      ['#0f0', 100, 0],
      ['#fff', 0, 50],
    ].map(([color, x, y]) => `<rect x="${x}" y="${y}" width="100" height="50" fill="${color}"/>`);
    pictures.add('svg', svgFile(rects.join(''), 'viewBox="0 0 200 100"'));
    for (const field of pictures.files.keys()) {
      assert.deepEqual(await corners(pictures, field), [RED, GREEN, HOLE, WHITE], field);
    }
  });

  test('[R12] errors of the decoder become errors of the painter', async () => {
    using pictures = new SamplePictures(0);
    const tile = await codePicture('hvc1', pixelsOf(64, 64));
    pictures.add('torn', heifFile({ tiles: [{ ...tile, data: Buffer.alloc(tile.data.length, 0x5a) }] }));
    await assert.rejects(corners(pictures, 'torn'), { code: 'paint.image_broken' });
    pictures.add('vast', heifFile({ tiles: [{ ...tile, width: 30_000, height: 30_000 }] }));
    await assert.rejects(corners(pictures, 'vast'), { code: 'paint.image_too_large' });
  });

  test('[R43] a picture fills its card, unless its edge is plain or transparent', () => {
    const fitted = (draw: (context: SkiaSurface['context']) => void) => {
      const { bitmap, context } = createSkiaSurface(200, 100);
      draw(context);
      const size = { width: 40, height: 40 };
      const uses = { sizes: [size], framings: [{ fit: 'auto' as const }], others: false, maxPx: 512 };
      const surface = createSkiaSurface(40, 40);
      const picture = new CardPicture({ bitmap, release: () => {} }, uses, createSkiaSurface);
      surface.context.drawImage(picture.card(size, { fit: 'auto' }), 0, 0, 40, 40);
      const rgba = readPixels(surface);
      return [...rgba.subarray((20 * 40 + 2) * 4, (20 * 40 + 2) * 4 + 4)];
    };
    const halves = (context: SkiaSurface['context'], inset: number) => {
      for (const [color, x] of [
        ['#ff0000', 0],
        ['#0000ff', 1],
      ] as const) {
        // biome-ignore format: a table
        context.fillStyle = color;
        context.fillRect(x * 100 + (1 - x) * inset, inset, 100 - inset, 100 - 2 * inset);
      }
    };
    assert.deepEqual(
      fitted((context) => halves(context, 0)),
      [255, 0, 0, 255],
      'a photograph is cut at its sides',
    );
    assert.equal(fitted((context) => halves(context, 20))[3], 0, 'a logo with a margin is shown whole');
    const framed = fitted((context) => {
      context.fillStyle = '#ffffff';
      context.fillRect(0, 0, 200, 100);
      halves(context, 20);
    });
    assert.deepEqual(framed, [255, 255, 255, 255], 'its plain edge fills the card');
  });

  test('[R11] pictures keep their transparency', async () => {
    using pictures = new SamplePictures(0);
    const { bitmap } = quarters(100, 100, true);
    pictures.add('png', bitmap.toBuffer('image/png'));
    pictures.add('webp', bitmap.toBuffer('image/webp'));
    for (const field of pictures.files.keys()) {
      assert.deepEqual(await corners(pictures, field), [RED, GREEN, HOLE, WHITE], field);
    }
  });

  test('[R7] Exif orientation makes pictures upright', async () => {
    using pictures = new SamplePictures(0);
    const jpeg = quarters(100, 100).bitmap.toBuffer('image/jpeg');
    const upright = {
      1: [RED, GREEN, BLUE, WHITE],
      2: [GREEN, RED, WHITE, BLUE],
      3: [BLUE, WHITE, RED, GREEN],
      6: [WHITE, RED, GREEN, BLUE],
      8: [GREEN, BLUE, WHITE, RED],
    };
    for (const [orientation, expected] of Object.entries(upright)) {
      pictures.add(orientation, jpegTurned(jpeg, Number(orientation), 'MM'));
      assert.deepEqual(await corners(pictures, orientation), expected, `orientation ${orientation}`);
    }
  });

  test('[R12] an unusable picture becomes a name card, with a warning that names the item', async () => {
    using pictures = new SamplePictures(0);
    pictures.add('picture0', drawLandscape(0).bitmap.toBuffer('image/png'));
    pictures.add('picture1', Buffer.from('<html><body>no picture</body></html>'));
    pictures.add('picture2', pngClaiming(30_000, 30_000));
    pictures.add('picture3', pngClaiming(20, 20));
    pictures.add('picture4', Buffer.from('\xff\xd8\xff\xe0 no more', 'latin1'));
    const plan = samplePlan(CANVAS, sampleScene([6]));
    const painter = await SkiaPainter.create({ plan, files: pictures.files });
    assert.deepEqual(
      painter.warnings.map(({ path, code }) => [path, code]),
      [
        ['/tier_list/items/1/file_field', 'paint.image_format'],
        ['/tier_list/items/2/file_field', 'paint.image_too_large'],
        ['/tier_list/items/3/file_field', 'paint.image_broken'],
        ['/tier_list/items/4/file_field', 'paint.image_broken'],
        ['/tier_list/items/5/file_field', 'paint.image_missing'],
      ],
    );
    for (const { message } of painter.warnings) assert.ok(!message.includes(pictures.folder), 'no disk path leaks');
    assert.notEqual(painter.paint('board', plan.painted.board[0]!, frames(0)), null);
  });

  test('an abort ends the reading', async () => {
    using pictures = new SamplePictures(2);
    const plan = samplePlan(CANVAS, sampleScene([2]));
    await assert.rejects(
      SkiaPainter.create({ plan, files: pictures.files, signal: AbortSignal.abort() }),
      (error: Error) => error.name === 'AbortError',
    );
  });
});

describe('pictures', () => {
  const SLOW = { num: 10_000, den: 1 };
  const reveals = [
    { item: 1, at: frames(10) },
    { item: 2, at: frames(110) },
  ];

  test('[R4] equal arguments give equal pixels, in any order of calls', async () => {
    using pictures = new SamplePictures(4);
    const plan = samplePlan(CANVAS, sampleScene([4, 3], { reveal: 'spotlight', reveals, pictures: 4 }), [
      sampleSubtitle('In between', CANVAS),
    ]);
    const window = plan.painted.board[0]!;
    const forward = await SkiaPainter.create({ plan, files: pictures.files });
    const backward = await SkiaPainter.create({ plan, files: pictures.files });
    const asked = [0, 9, 10, 13, 48, 50, 55, 75, 80, 90, 115, 220].map(frames);
    const first = asked.map((frame) => flattenedBoard(forward.paint('board', window, frame)!, 'board'));
    backward.paint('subtitle', plan.painted.subtitle[0]!, frames(0));
    const second = asked.toReversed().map((frame) => flattenedBoard(backward.paint('board', window, frame)!, 'board'));
    second.reverse().forEach((picture, index) => {
      assert.deepEqual(picture.rect, first[index]!.rect);
      assert.ok(Buffer.from(picture.rgba).equals(Buffer.from(first[index]!.rgba)), `frame ${asked[index]} differs`);
    });
  });

  test('[R9] N reveals have N + 1 still boards, each painted once', async () => {
    using pictures = new SamplePictures(4);
    const plan = samplePlan(CANVAS, sampleScene([4, 3], { reveals, pictures: 4 }));
    const painter = await SkiaPainter.create({ plan, files: pictures.files });
    const stills = [...Array(10).keys(), ...range(30, 110), ...range(130, 150)].map((frame) =>
      painter.paint('board', plan.painted.board[0]!, frames(frame)),
    );
    assert.equal(new Set(stills).size, 3);
  });

  test('[C56] the counter changes when a card lands, and does not count the pool', async () => {
    const reveals = [0, 3].map((item) => ({ item, at: frames(10) }));
    const scene = sampleScene([2, 1], { pictures: 0, pool: 1, counter: true, reveal: 'spotlight', reveals });
    const plan = samplePlan(CANVAS, scene);
    const window = plan.painted.board[0]!;
    const layout = layoutBoard(scene, boardRoom(window.rect, CANVAS, plan.theme), createSkiaMeasure());
    const { x, y, width, height } = layout.counter!.box;
    const place = {
      x: window.rect.x + Math.floor(x),
      y: window.rect.y + y,
      width: Math.floor(width),
      height: Math.floor(height),
    };
    const painter = await SkiaPainter.create({ plan, files: new Map() });
    const counterAt = (frame: number) => {
      const painting = painter.paint('board', window, frames(frame))!;
      return Buffer.from(flattenedBoard({ ...painting, front: null }, place).rgba).toString('hex');
    };
    const { lands, end } = scene.events[0]!;
    const frame = Array.from({ length: end + 2 }, (_, index) => index + 1);
    const changes = frame.filter((at) => counterAt(at) !== counterAt(at - 1));
    assert.deepEqual(changes, [lands], 'once, for the card in a row alone');
    const before = boardStateAt(scene, frames(lands - 1), MIDNIGHT.motion);
    assert.deepEqual([inRows(before, []), scene.counter], [2, 3]);
  });

  test('[R4] a partly repainted frame equals a fully painted one', async () => {
    const pops = [0, 3, 9].map((item, index) => ({ item, at: frames(10 + index) }));
    // It lands at 175.
    const together = [...pops, { item: 6, at: frames(100), style: 'spotlight' as const }];
    const scene = sampleScene([4, 11, 3], { pictures: 0, reveals: together, pool: 2 });
    const plan = samplePlan(CANVAS, scene);
    const { rect } = plan.painted.board[0]!;
    const measure = createSkiaMeasure(plan.theme.font);
    const layout = layoutBoard(scene, boardRoom(rect, CANVAS, plan.theme), measure);
    const pictures = scene.items.map(() => null);
    const whole = new BoardPainter({
      scene,
      theme: plan.theme,
      layout,
      pictures,
      measure,
      createSurface: createSkiaSurface,
    });
    const painter = await SkiaPainter.create({ plan, files: new Map() });
    for (const frame of [...range(8, 36), ...range(175, 192)]) {
      const surface = createSkiaSurface(rect.width, rect.height);
      whole.draw(surface.context, boardStateAt(scene, frames(frame), MIDNIGHT.motion));
      const expected = readPixels(surface);
      const painting = painter.paint('board', plan.painted.board[0]!, frames(frame))!;
      const { rgba } = flattenedBoard({ ...painting, front: null }, 'board');
      // Between pixels a bitmap is sampled by its distance from the surface's corner, which rounds differently once in a while.
      const off = rgba.map((value, at) => Math.abs(value - expected[at]!)).filter((by) => by > 1);
      assert.ok(off.length < 20 && off.every((by) => by <= 6), `frame ${frame} differs by ${Math.max(...off)}`);
    }
  });

  test('[R19] [R22] a spotlight moves only its card, unless others have to make room', async () => {
    for (const [item, makesRoom] of [
      [3, false],
      [1, true],
    ] as const) {
      // A frame is a millisecond.
      const one = [{ item, at: frames(100) }];
      const scene = sampleScene([4, 3], {
        reveal: 'spotlight',
        reveals: one,
        pictures: 0,
        rate: { num: 1000, den: 1 },
      });
      const plan = samplePlan(CANVAS, scene);
      const painter = await SkiaPainter.create({ plan, files: new Map() });
      const [entering, held, later, stamping, stamped, last, flying] = [150, 460, 1340, 1400, 1540, 2130, 2280].map(
        (frame) => painter.paint('board', plan.painted.board[0]!, frames(frame))!,
      );
      assert.deepEqual([entering!.moving, held!.moving], [null, null]);
      assert.equal(flying!.moving !== null, makesRoom);
      // Held up, it comes nearer in steps (R41); from the stamp to the take-off it rests. `ok`, because `equal` prints the pixels.
      assert.ok(later !== stamping && held !== later);
      assert.ok(stamped === last);
      assert.equal(later!.moving, null);
      assert.ok([entering, held, later, flying].every((painting) => painting!.still === held!.still));
    }
  });

  test('[R13] the last frame in motion almost equals the still board after it', async () => {
    using pictures = new SamplePictures(4);
    for (const reveal of ['pop', 'spotlight'] as const) {
      const one = [{ item: 1, at: frames(0) }];
      const plan = samplePlan(CANVAS, sampleScene([4, 3], { reveal, reveals: one, pictures: 4, rate: SLOW }));
      const { end } = plan.board!.events[0]!;
      const painter = await SkiaPainter.create({ plan, files: pictures.files });
      const almost = flattenedBoard(painter.paint('board', plan.painted.board[0]!, frames(end - 1))!, 'board');
      const { still } = painter.paint('board', plan.painted.board[0]!, end)!;
      const most = almost.rgba.reduce((worst, value, at) => Math.max(worst, Math.abs(value - still.rgba[at]!)), 0);
      assert.ok(most <= 6, `${reveal} jumps by ${most} of 255 at its end`);
    }
  });

  test('[R13] two reveals that round to one frame are both seen', async () => {
    using pictures = new SamplePictures(0);
    const colors = [
      [200, 30, 30],
      [30, 30, 200],
    ] as const;
    for (const [index, [red, green, blue]] of colors.entries()) {
      const { bitmap, context } = createSkiaSurface(200, 200);
      context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
      context.fillRect(0, 0, 200, 200);
      pictures.add(`p${index}`, bitmap.toBuffer('image/png'));
    }
    const planned = plan(
      {
        tier_list: {
          title: '',
          rows: [{ id: 's', label: 'S', color: '#40a040', item_ids: ['a', 'b'] }],
          items: [
            { id: 'a', name: 'A', file_field: 'p0' },
            { id: 'b', name: 'B', file_field: 'p1' },
          ],
        },
        timeline_data: {
          tier_blocks: [{ start: 0, duration: 4 }],
          tier_tiles: [
            { tier_item_id: 'a', position: 0.98 },
            { tier_item_id: 'b', position: 1 },
          ],
        },
        settings: { fps: 24, reveal: 'spotlight', width: 640, height: 360 },
      },
      { p0: picture('p0', 200, 200), p1: picture('p1', 200, 200) },
    );
    const painter = await SkiaPainter.create({ plan: planned, files: pictures.files });
    const { rgba } = painter.paint('board', planned.painted.board[0]!, frames(36))!.front!;
    for (const color of colors) {
      let seen = 0;
      for (let at = 0; at < rgba.length; at += 4) {
        if (color.every((channel, index) => Math.abs(rgba[at + index]! - channel) < 8)) seen += 1;
      }
      assert.ok(seen > 5000, `${seen} pixels of ${color}`);
    }
  });

  test('[C21] a window that extends beyond the canvas is clipped, one outside it draws nothing', async () => {
    using pictures = new SamplePictures(1);
    const scene = sampleScene([4, 3], { pictures: 1 });
    const paintedIn = async (x: number, y: number) => {
      const plan = samplePlan(CANVAS, scene, [], { x, y, width: 300, height: 200 });
      const painter = await SkiaPainter.create({ plan, files: pictures.files });
      return painter.paint('board', plan.painted.board[0]!, frames(0))?.still ?? null;
    };
    assert.equal(await paintedIn(640, 0), null);
    assert.equal(await paintedIn(-300, 0), null);
    const whole = (await paintedIn(100, 100))!;
    const part = (await paintedIn(-100, 300))!;
    assert.deepEqual(part.rect, { x: 0, y: 300, width: 200, height: 60 });
    // Row 30 from column 100 on is the same picture, wherever the window is, but for Skia's dithering.
    for (let x = 0; x < 90 * 4; x += 1) {
      assert.ok(Math.abs(part.rgba[30 * 200 * 4 + x]! - whole.rgba[(30 * 300 + 100) * 4 + x]!) <= 2, `at ${x}`);
    }
  });

  test('[R9] windows of many sizes cost no more memory than a few', async () => {
    using pictures = new SamplePictures(4);
    const one = samplePlan(CANVAS, sampleScene([9, 9, 9], { pictures: 4 }));
    const windows = Array.from({ length: 160 }, (_, index) => ({
      ...one.painted.board[0]!,
      rect: { x: 0, y: 0, width: 400 + (index % 240), height: 150 + (index % 200) },
    }));
    const painter = await SkiaPainter.create({
      plan: { ...one, painted: { ...one.painted, board: windows } },
      files: pictures.files,
    });
    const paint = async (from: number, to: number) => {
      for (const window of windows.slice(from, to)) {
        assert.notEqual(painter.paint('board', window, frames(0)), null);
        await setImmediate();
      }
    };
    await paint(0, 40);
    const before = process.memoryUsage().rss;
    await paint(40, 160);
    assert.ok(process.memoryUsage().rss - before < 120e6, `${process.memoryUsage().rss - before} bytes more`);
  });

  test('[R9] of boards at 4K, those that are over do not stay in memory', async () => {
    const canvas = { width: 3840, height: 2160 };
    const at = [20, 120, 220].map(frames);
    const reveals = at.map((each, item) => ({ item, at: each }));
    const one = samplePlan(canvas, sampleScene([3], { pictures: 0, reveal: 'spotlight', reveals }));
    const windows = at.map((each) => ({
      ...one.painted.board[0]!,
      shows: { start: frames(each - 20), end: frames(each + 80) },
    }));
    const painter = await SkiaPainter.create({
      plan: { ...one, painted: { ...one.painted, board: windows } },
      files: new Map(),
    });
    const kept = windows.map((window, index) => {
      const { still, front } = painter.paint('board', window, frames(at[index]! + 40))!;
      return [new WeakRef(still.rgba), new WeakRef(front!.rgba)];
    });
    await collectGarbage();
    const isThere = kept.map((pictures) => pictures.map((picture) => picture.deref() !== undefined));
    assert.deepEqual(isThere, [
      [false, false],
      [true, false],
      [true, true],
    ]);
  });

  test('[C21] a window ten times the canvas costs no more memory than the canvas', async () => {
    using pictures = new SamplePictures(4);
    const reveals = [{ item: 1, at: frames(10) }];
    const scene = sampleScene(Array(50).fill(9), { pictures: 4, labels: ['A label'], reveal: 'spotlight', reveals });
    const plan = samplePlan(CANVAS, scene, [], { x: -2000, y: -1000, width: 6400, height: 3600 });
    const painter = await SkiaPainter.create({ plan, files: pictures.files });
    const before = process.memoryUsage().rss;
    for (const frame of [0, 12, 50, 75, 100]) {
      assert.deepEqual(painter.paint('board', plan.painted.board[0]!, frames(frame))!.still.rect, {
        x: 0,
        y: 0,
        ...CANVAS,
      });
    }
    assert.ok(process.memoryUsage().rss - before < 100e6, `${process.memoryUsage().rss - before} bytes more`);
  });

  test('[R14] a character that no font has gives a warning with its path', async () => {
    const plan = samplePlan(CANVAS, sampleScene([1], { pictures: 0, labels: ['ᠮᠣᠩ'], names: ['Ꮳ \u{10fffd}'] }), [
      sampleSubtitle('fine ★ 👩‍🚀 漢字', CANVAS),
      sampleSubtitle('not ꦗ fine', CANVAS, { path: '/timeline_data/subtitles/1' }),
    ]);
    const { warnings } = await SkiaPainter.create({ plan, files: new Map() });
    assert.deepEqual(
      warnings.map(({ path, code }) => [path, code]),
      [
        ['/timeline_data/subtitles/1/text', 'paint.glyph_missing'],
        ['/tier_list/rows/0/label', 'paint.glyph_missing'],
        ['/tier_list/items/0/name', 'paint.glyph_missing'],
      ],
    );
    assert.match(warnings[0]!.message, /ꦗ \(U\+A997\)/);
  });

  test('[R14] a text that does not fit the canvas is cut, with a warning', async () => {
    const plan = samplePlan(CANVAS, null, [sampleSubtitle('all work and no play '.repeat(900), CANVAS)]);
    const painter = await SkiaPainter.create({ plan, files: new Map() });
    assert.deepEqual(
      painter.warnings.map(({ path, code }) => [path, code]),
      [['/timeline_data/subtitles/0/text', 'paint.text_cut']],
    );
    assert.equal(
      painter.paint('subtitle', plan.painted.subtitle[0]!, frames(0))!.still.rect.y,
      0,
      'it has grown to the top and no further',
    );
  });

  test('fonts of the machine are not used', () => {
    const skia = new URL('../../../src/paint/skia/skia.ts', import.meta.url);
    const script = `
      const { registerFonts } = await import(${JSON.stringify(skia.href)});
      const { GlobalFonts } = await import('@napi-rs/canvas');
      process.stdout.write(String(GlobalFonts.families.length));
      registerFonts([]);`;
    const { DISABLE_SYSTEM_FONTS_LOAD: _, ...env } = process.env;
    const families = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env,
      cwd: new URL('../../..', import.meta.url),
    });
    assert.equal(families.toString(), '0');
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

test('[C52, R20] the filled part of the progress bar has a dark edge, on white too', async () => {
  const plan = samplePlan(CANVAS, null);
  const bar = sampleBar({ x: 0, y: 60, width: 120, height: 6 }, plan.totalFrames);
  const painter = await SkiaPainter.create({ plan, files: new Map() });
  const { rect, rgba } = painter.paint('progress', bar, frames(plan.totalFrames - 1))!.still;
  const inks = Array.from({ length: rect.height }, (_, y) => [
    ...rgba.subarray(y * rect.width * 4, y * rect.width * 4 + 4),
  ]);
  const isDark = inks.map(([red, , , alpha]) => red! < 20 && alpha! > 100);
  assert.deepEqual(isDark, [true, false, false, false, false, true]);
  assert.deepEqual(inks[2], [255, 255, 255, 255]);
});
