import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AV_CODEC_ID_NONE,
  AV_FRAME_FLAG_INTERLACED,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE432,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_YCGCO,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE2084,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtFromName, avGetPixFmtName, Frame, Rational } from 'node-av/lib';
import { hasAlphaChannel, isConvertible, isRgb, tagForFilters } from '../../../src/engine/color/picture-color.ts';
import { clipFilters } from '../../../src/engine/compose/clip-filters.ts';
import { FrameGraph } from '../../../src/engine/libav/frame-graph.ts';
import { rgbaFrame, rgbaShape } from '../../../src/engine/libav/rgba-frame.ts';
import type { PictureStream } from '../../../src/engine/picture/frame-source.ts';
import { pictureFacts } from '../../../src/engine/picture/picture-facts.ts';
import { isTransparent } from '../../../src/engine/probe/probe-media.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';

const [WIDTH, HEIGHT] = [32, 18];

/** In the memory of a graphics card. */
const HARDWARE = /^(vaapi|dxva2|vdpau|qsv|mmal|d3d1|cuda|videotoolbox|mediacodec|drm_|opencl|vulkan|amf|ohcodec)/;
const COLORS = {
  'BT.709': { matrix: AVCOL_SPC_BT709, transfer: AVCOL_TRC_BT709, primaries: AVCOL_PRI_BT709 },
  'Display P3': { matrix: AVCOL_SPC_BT709, transfer: AVCOL_TRC_BT709, primaries: AVCOL_PRI_SMPTE432 },
  PQ: { matrix: AVCOL_SPC_BT2020_NCL, transfer: AVCOL_TRC_SMPTE2084, primaries: AVCOL_PRI_BT2020 },
  YCgCo: { matrix: AVCOL_SPC_YCGCO, transfer: AVCOL_TRC_BT709, primaries: AVCOL_PRI_BT709 },
};
type Color = (typeof COLORS)[keyof typeof COLORS];

const STREAM: PictureStream = {
  timeBase: new Rational(1, 25),
  sampleAspectRatio: new Rational(1, 1),
  codecpar: { codecId: AV_CODEC_ID_NONE, getCodedSideData: () => null },
};

/** On the left opaque red, on the right green that shows a third of the background. */
const PIXELS = Uint8Array.from(
  Array.from({ length: WIDTH * HEIGHT }, (_, n) =>
    n % WIDTH < WIDTH / 2 ? [200, 60, 60, 255] : [60, 160, 80, 170],
  ).flat(),
);

const samples = new Map<string, Frame>();

/** That picture in a pixel format, or some other where swscale does not write it. */
async function sample(name: string, { matrix, transfer, primaries }: Color): Promise<Frame> {
  const by = matrix === AVCOL_SPC_BT2020_NCL ? 'bt2020' : 'bt709';
  const key = `${name} ${by}`;
  const known = samples.get(key) ?? (await written(name, by)) ?? plain(name);
  samples.set(key, known);
  const frame = new Frame();
  frame.alloc();
  frame.ref(known);
  frame.colorSpace = matrix;
  frame.colorRange = isFull(name) ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  frame.colorTrc = transfer;
  frame.colorPrimaries = primaries;
  return frame;
}

function isFull(name: string): boolean {
  return isRgb(name) || name.startsWith('yuvj');
}

async function written(name: string, matrix: string, pixels = PIXELS): Promise<Frame | null> {
  const range = isFull(name) ? 'full' : 'limited';
  const filters = `[0]scale=out_color_matrix=${matrix}:out_range=${range},format=${name}[out]`;
  try {
    using graph = await FrameGraph.open([rgbaShape(WIDTH, HEIGHT)], filters);
    using rgba = rgbaFrame(pixels, WIDTH, HEIGHT);
    graph.feed(0, rgba, 0);
    const frame = new Frame();
    frame.alloc();
    await graph.pull(frame);
    return frame;
  } catch {
    return null;
  }
}

function plain(name: string): Frame {
  const frame = allocateFrame(WIDTH, HEIGHT, avGetPixFmtFromName(name));
  for (const bytes of frame.data ?? []) bytes?.fill(100);
  return frame;
}

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const WAYS = {
  reduced: {
    clip: { crop: rect(0, 0, WIDTH, HEIGHT), dest: rect(0, 0, 24, 14), backdrop: null, matte: null, look: null },
    interlaced: false,
    quarterTurns: 0,
  },
  'cut at odd places': {
    clip: { crop: rect(3, 1, 25, 15), dest: rect(5, 3, 20, 12), backdrop: null, matte: rect(0, 0, 30, 20), look: null },
    interlaced: false,
    quarterTurns: 0,
  },
  'in every way at once': {
    clip: {
      crop: rect(1, 3, 15, 21),
      dest: rect(8, 2, 10, 14),
      backdrop: { crop: rect(0, 0, HEIGHT, WIDTH), dest: rect(0, 0, 24, 20) },
      matte: null,
      look: { radiusPx: 4 },
    },
    interlaced: true,
    quarterTurns: 1,
  },
} as const;

type Way = (typeof WAYS)[keyof typeof WAYS];

/** The decoded colours of the left and the right half; with `turned`, of the upper and the lower half. */
async function shown(name: string, color: Color, way: Way, alpha: boolean): Promise<number[][]> {
  using frame = await sample(name, color);
  if (way.interlaced) frame.setFlags(AV_FRAME_FLAG_INTERLACED);
  const facts = pictureFacts(STREAM, frame);
  const turned = way.quarterTurns === 1;
  const upright = turned ? { width: HEIGHT, height: WIDTH } : { width: WIDTH, height: HEIGHT };
  const held = { ...facts, orientation: { quarterTurns: way.quarterTurns, mirrored: false } as const, upright };
  const { matrix, range } = facts.color;
  const shape = { width: WIDTH, height: HEIGHT, pixelFormat: frame.format as AVPixelFormat, matrix, range };
  tagForFilters(frame, shape);
  const { text } = clipFilters({ ...way.clip, alpha } as Parameters<typeof clipFilters>[0], held, shape, '#203040');
  using graph = await FrameGraph.open([shape], text!);
  assert.deepEqual(graph.inserted, [], `${name}: ${text}`);
  graph.feed(0, frame, 0);
  if (way.interlaced) graph.feed(0, frame, 1);
  using result = new Frame();
  result.alloc();
  await graph.pull(result);
  const { x, y, width, height } = way.clip.dest;
  return [1 / 4, 3 / 4].map((along) => {
    const [across, down] = turned ? [x + width / 2, y + height * along] : [x + width * along, y + height / 2];
    return Array.from({ length: alpha && way.clip.matte === null ? 4 : 3 }, (_, plane) => {
      const size = plane === 1 || plane === 2 ? 2 : 1;
      return result.data![plane]![Math.floor(down / size) * result.linesize[plane]! + Math.floor(across / size)]!;
    });
  });
}

const FORMATS = Array.from({ length: 512 }, (_, n) => avGetPixFmtName(n as AVPixelFormat))
  .filter((name) => name !== null)
  .filter((name) => !HARDWARE.test(name));

/** Grey, of a few bits, or not written by swscale: the test only checks that they decode. */
const OTHER_COLORS =
  /^(gray|ya|mono|pal8|rgb[48]|bgr[48]|uyyvyy|bayer|yuvj?4[14][01]p|xyz|nv15|nv20$|rgbf|rgbaf16|gbra?pf16)/;

test('[R18] the refused formats are those that swscale does not read', async () => {
  for (const name of FORMATS) {
    const shape = { ...rgbaShape(WIDTH, HEIGHT), pixelFormat: avGetPixFmtFromName(name) };
    const readable = await FrameGraph.open([shape], '[0]scale=8:8,format=yuv420p[out]').then(
      (graph) => {
        graph[Symbol.dispose]();
        return true;
      },
      () => false,
    );
    assert.equal(readable, isConvertible(name), name);
  }
});

/** If colours need more than a matrix, an opaque clip uses another path than a transparent one. */
function alphas(name: string, color: Color): boolean[] {
  if (!hasAlphaChannel(name)) return [false];
  return color === COLORS['BT.709'] ? [true, false] : [true];
}

for (const [title, color] of Object.entries(COLORS)) {
  test(`[R7] [R18] every pixel format keeps its colours, through the requested filters: ${title}`, async () => {
    for (const [turn, [ways, way]] of Object.entries(WAYS).entries()) {
      const [left, right] = await shown('yuv444p', color, way, false);
      for (const [n, name] of FORMATS.filter(isConvertible).entries()) {
        // In BT.709 each format takes every path; in other colours each takes one, and a third of them cover every
        // path.
        if (color !== COLORS['BT.709'] && n % Object.keys(WAYS).length !== turn) continue;
        if (color === COLORS.YCgCo && isRgb(name)) continue;
        for (const alpha of alphas(name, color)) {
          const colors = await shown(name, color, way, alpha);
          // Over another background, transparent parts have other colours.
          const seen = alpha && way !== WAYS.reduced ? colors.slice(0, 1) : colors;
          if (OTHER_COLORS.test(name)) continue;
          const expected = [...left!, 255, ...right!, 170];
          const off = seen.flatMap((values, half) =>
            values.map((value, n) => Math.abs(value - expected[half * 4 + n]!)),
          );
          assert.ok(Math.max(...off) <= 5, `${name}, ${ways}, alpha ${alpha}: ${seen} instead of ${expected}`);
        }
      }
    }
  });
}

test('[R8] a picture is transparent where its pixels are, in every format', async () => {
  for (const name of FORMATS.filter(isConvertible).filter(hasAlphaChannel)) {
    // Palettes that swscale writes are opaque (`png-files.test.ts` has others), and its opaque 16 bits are not quite.
    if (name === 'pal8' || name.startsWith('yuva444p16')) continue;
    using frame = await written(name, 'bt709');
    if (frame !== null) assert.equal(await isTransparent(frame), true, name);
    using opaque = await written(
      name,
      'bt709',
      PIXELS.map((value, n) => (n % 4 === 3 ? 255 : value)),
    );
    if (opaque !== null) assert.equal(await isTransparent(opaque), false, name);
  }
});

test('[R8] an error while reading the alpha of a picture leaks no frame', async (t) => {
  using frame = await written('rgba64le', 'bt709');
  let pulled: Frame | undefined;
  t.mock.method(FrameGraph.prototype, 'pull', async (into: Frame) => {
    pulled = into;
    into.width = WIDTH;
    throw new Error('no memory');
  });
  await assert.rejects(isTransparent(frame!), /no memory/);
  // A frame that is freed has no size.
  assert.equal(pulled?.width, 0);
});
