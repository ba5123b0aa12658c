import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import { Frame, Rational } from 'node-av/lib';
import { tagForFilters } from '../../src/engine/color/picture-color.ts';
import { clipFilters } from '../../src/engine/compose/clip-filters.ts';
import { FrameGraph } from '../../src/engine/libav/frame-graph.ts';
import { pictureFacts } from '../../src/engine/picture/picture-facts.ts';
import type { Planes } from '../../src/studio/device/film-planes.ts';
import { FilmScaler } from '../../src/studio/device/film-scaler.ts';
import { allocateFrame } from '../fixtures/frame-painter.ts';

const SOURCE = { width: 322, height: 182 };
const WHOLE = { x: 0, y: 0, ...SOURCE };
/** In levels. libav rounds weights in its own way. */
const MAX_DIFFERENCE = 1;
const STREAM = {
  timeBase: new Rational(1, 25),
  sampleAspectRatio: new Rational(1, 1),
  codecpar: { codecId: 0, getCodedSideData: () => null },
} as unknown as Parameters<typeof pictureFacts>[0];

/** Waves that become shorter to one side, and edges: in all levels, also beyond black and white. */
function picture({ width, height }: typeof SOURCE): Planes {
  const plane = (columns: number, rows: number, turn: number) =>
    Uint8Array.from({ length: columns * rows }, (_, n) => {
      const [x, y] = [n % columns, Math.floor(n / columns)];
      const wave = 128 + 127 * Math.sin(turn + (x * x) / (3 * columns) + y / 9);
      return (x >> 4) % 5 === 0 && (y >> 3) % 3 === 0 ? 255 - wave : wave;
    });
  const [columns, rows] = [width / 2, height / 2];
  return { width, height, y: plane(width, height, 0), u: plane(columns, rows, 1), v: plane(columns, rows, 2) };
}

/** What the service makes of it. */
async function onService({ width, height, ...planes }: Planes, crop: typeof WHOLE, dest: typeof WHOLE) {
  using frame = allocateFrame(width, height, AV_PIX_FMT_YUV420P);
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  for (const [index, bytes] of [planes.y, planes.u, planes.v].entries()) {
    const columns = index === 0 ? width : width / 2;
    for (let row = 0; row * columns < bytes.length; row += 1) {
      frame.data![index]!.set(bytes.subarray(row * columns, (row + 1) * columns), row * frame.linesize[index]!);
    }
  }
  const facts = pictureFacts(STREAM, frame);
  const shape = {
    ...{ width, height, pixelFormat: AV_PIX_FMT_YUV420P },
    ...{ matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG },
  };
  tagForFilters(frame, shape);
  const clip = { crop, dest, backdrop: null, matte: null, alpha: false, look: null };
  using graph = await FrameGraph.open([shape], clipFilters(clip, facts, shape, null).text!);
  graph.feed(0, frame, 0);
  using result = new Frame();
  result.alloc();
  await graph.pull(result);
  return [0, 1, 2].map((index) => {
    const [columns, rows] = index === 0 ? [dest.width, dest.height] : [dest.width / 2, dest.height / 2];
    const stride = result.linesize[index]!;
    return Array.from({ length: rows }, (_, row) => [
      ...result.data![index]!.subarray(row * stride, row * stride + columns),
    ]).flat();
  });
}

function furthest(a: Uint8Array, b: readonly number[]): number {
  assert.equal(a.length, b.length);
  return a.reduce((most, level, index) => Math.max(most, Math.abs(level - b[index]!)), 0);
}

const WAYS = {
  smaller: [WHOLE, 200, 112],
  'a third': [WHOLE, 106, 60],
  larger: [WHOLE, 640, 360],
  'taller and narrower': [WHOLE, 90, 320],
  'a part': [{ x: 40, y: 12, width: 202, height: 160 }, 150, 118],
  'a part at odd places': [{ x: 41, y: 13, width: 64, height: 36 }, 128, 72],
  'a part in its size': [{ x: 40, y: 12, width: 202, height: 160 }, 202, 160],
} as const;

for (const [way, [crop, width, height]] of Object.entries(WAYS)) {
  test(`[R46] on this device a clip is scaled as on the service: ${way}`, async () => {
    const source = picture(SOURCE);
    const scaler = new FilmScaler(SOURCE, { width, height });
    scaler.scale(source, crop);
    const made = scaler.planes();
    const wanted = await onService(source, crop, { x: 0, y: 0, width, height });
    // At odd places, libav takes the chroma of another column.
    const isOdd = crop.x % 2 === 1;
    const planes = isOdd ? [made.y] : [made.y, made.u, made.v];
    assert.deepEqual(
      planes.map((plane, index) => furthest(plane, wanted[index]!)).filter((level) => level > MAX_DIFFERENCE),
      [],
    );
  });
}

test('the whole picture in its size keeps every sample', () => {
  const source = picture(SOURCE);
  const scaler = new FilmScaler(SOURCE, SOURCE);
  scaler.scale(source, WHOLE);
  assert.deepEqual(scaler.planes(), source);
});

test('one scaler shows one part after the other', () => {
  const source = picture(SOURCE);
  const moving = new FilmScaler(SOURCE, { width: 100, height: 60 });
  for (const part of [WHOLE, { x: 10.25, y: 3.5, width: 200.5, height: 120.3 }, WHOLE]) {
    const fresh = new FilmScaler(SOURCE, { width: 100, height: 60 });
    for (const scaler of [moving, fresh]) scaler.scale(source, part);
    assert.deepEqual(moving.planes(), fresh.planes());
  }
});

test('samples become colours by their matrix and range', () => {
  const size = { width: 8, height: 2 };
  const plane = (length: number, ...levels: readonly number[]) =>
    Uint8Array.from({ length }, (_, n) => levels[n % levels.length]!);
  const seen = (y: number, u: number, v: number, coding: Parameters<FilmScaler['colors']>[0]) => {
    const scaler = new FilmScaler(size, size);
    scaler.scale({ ...size, y: plane(16, y), u: plane(4, u), v: plane(4, v) }, { x: 0, y: 0, ...size });
    const colors = [...scaler.colors(coding)];
    assert.deepEqual(colors.slice(-4), colors.slice(0, 4));
    return colors.slice(0, 4);
  };
  const tv = { matrix: 'bt709', fullRange: false } as const;
  assert.deepEqual(seen(16, 128, 128, tv), [0, 0, 0, 255]);
  assert.deepEqual(seen(235, 128, 128, tv), [255, 255, 255, 255]);
  assert.deepEqual(seen(255, 128, 128, tv), [255, 255, 255, 255]);
  assert.deepEqual(seen(63, 102, 240, tv), [255, 1, 0, 255]);
  assert.deepEqual(seen(81, 90, 240, { matrix: 'bt601', fullRange: false }), [254, 0, 0, 255]);
  assert.deepEqual(seen(76, 85, 255, { matrix: 'bt601', fullRange: true }), [254, 0, 0, 255]);
});
