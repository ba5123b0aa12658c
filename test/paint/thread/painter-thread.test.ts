import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodePicture } from '../../../src/engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { DEFAULT_IMAGE_LIMITS } from '../../../src/image-header/image-header.ts';
import { SkiaOverlayPainter } from '../../../src/paint/skia/skia-overlay-painter.ts';
import { AheadPainter } from '../../../src/paint/thread/ahead-painter.ts';
import { movingBoardFrames, movingCalls, type PaintCall } from '../../../src/paint/thread/moving-calls.ts';
import type { FromThread, ToThread } from '../../../src/paint/thread/painter-messages.ts';
import { PainterThread } from '../../../src/paint/thread/painter-thread.ts';
import type { Overlay, OverlaySource, Painting } from '../../../src/plan/overlay-painter.ts';
import { PAINTED_KINDS } from '../../../src/plan/painted/painted-kinds.ts';
import type { RenderPlan } from '../../../src/plan/render-plan.ts';
import { type Frames, frames } from '../../../src/time.ts';
import { tiffFile } from '../../fixtures/tiff-file.ts';
import { SamplePictures } from '../sample-pictures.ts';
import { sampleBar, samplePlan, sampleScene, sampleSubtitle } from '../sample-plan.ts';

const CANVAS = { width: 320, height: 180 };
const RANGES = [
  { start: frames(0), end: frames(45) },
  { start: frames(45), end: frames(90) },
];

const pictures = new SamplePictures(2);
const thread = new PainterThread();
after(async () => {
  pictures[Symbol.dispose]();
  await thread[Symbol.asyncDispose]();
});

/** A spotlight, a slam, a text that comes and a line that grows. */
function movingPlan(): RenderPlan {
  const reveals = [
    { item: 1, at: frames(5), end: frames(40), style: 'spotlight' as const },
    { item: 4, at: frames(50), end: frames(70), style: 'slam' as const },
  ];
  const scene = sampleScene([3, 3], { pictures: 2, reveals });
  const text = sampleSubtitle('Words', CANVAS, { enter: { kind: 'rise', frames: frames(8) } });
  const plan = samplePlan(CANVAS, scene, [text]);
  const board = { kind: 'board' as const, index: 0, started: 1, settled: 0 };
  const subtitle = { kind: 'subtitle' as const, index: 0, started: 0, settled: 0 };
  const bar = { ...subtitle, kind: 'progress' as const };
  return {
    ...plan,
    painted: { ...plan.painted, progress: [sampleBar({ x: 0, y: 170, width: 320, height: 4 }, frames(90))] },
    totalFrames: frames(90),
    spans: [
      {
        start: frames(0),
        end: frames(80),
        layers: [
          { ...board, changes: true },
          { ...subtitle, changes: true },
          { ...bar, changes: true },
        ],
      },
      {
        start: frames(80),
        end: frames(90),
        layers: [
          { ...board, started: 2, settled: 2, changes: false },
          { ...subtitle, changes: false },
        ],
      },
    ],
  };
}

test('[R4] what a thread paints ahead is what a painter paints, to the bit, also out of order', async () => {
  const plan = movingPlan();
  const own = await SkiaOverlayPainter.create({ plan, files: pictures.files });
  using ahead = await thread.open({ plan, files: pictures.files, ranges: RANGES });
  const calls = [...movingCalls(plan, RANGES)];
  assert.equal(calls.length, 240);
  for (const { kind, frame } of calls) {
    assert.deepEqual(
      await painted(ahead, plan, kind, frame),
      await painted(own, plan, kind, frame),
      `${kind} ${frame}`,
    );
  }
  for (const n of [85, 20, 60, 3]) {
    const frame = frames(n);
    for (const kind of PAINTED_KINDS) {
      assert.deepEqual(await painted(ahead, plan, kind, frame), await painted(own, plan, kind, frame), `${kind} ${n}`);
    }
  }
});

test('what has not moved is the very same painting, and a board at rest the very same picture', async () => {
  const plan = movingPlan();
  using ahead = await thread.open({ plan, files: pictures.files, ranges: [{ start: frames(0), end: frames(80) }] });
  const seen: (Painting | null)[] = [];
  for (let n = 0; n < 40; n += 1) {
    seen.push(await ahead.paint('board', plan.painted.board[0]!, frames(n)));
    await ahead.paint('subtitle', plan.painted.subtitle[0]!, frames(n));
    await ahead.paint('progress', plan.painted.progress[0]!, frames(n));
  }
  assert.equal(new Set(seen.slice(0, 5)).size, 1, 'nothing has begun');
  assert.ok(new Set(seen.slice(5)).size > 10);
  assert.equal(new Set(seen.map((painting) => painting!.still)).size, 1);
});

test('where nothing moves there is nothing to paint ahead', () => {
  const plan = movingPlan();
  assert.equal(movingBoardFrames(plan, RANGES), 80);
  assert.equal(movingBoardFrames(plan, [{ start: frames(80), end: frames(90) }]), 0);
});

test('a failure comes through with its code, whoever gave up is told why, and the thread goes on', async () => {
  const plan = movingPlan();
  const withFont = { ...plan, theme: { ...plan.theme, font: 0 } };
  const broken = thread.open({ plan: withFont, files: pictures.files, ranges: RANGES });
  await assert.rejects(broken, { name: 'ExportError', code: 'media.broken_font', kind: 'invalid' });
  const stop = new AbortController();
  const given = thread.open({ plan, files: pictures.files, ranges: RANGES, signal: stop.signal });
  stop.abort(new Error('enough'));
  await assert.rejects(given, { message: 'enough' });
  using ahead = await thread.open({ plan, files: pictures.files, ranges: RANGES });
  assert.notEqual(await ahead.paint('board', plan.painted.board[0]!, frames(0)), null);
});

test('pictures decoded elsewhere: no two questions have one number, so that an answer twice told is never taken for another picture', async () => {
  using tiffs = new SamplePictures(0);
  for (const [field, grey] of Object.entries({ picture0: 40, picture1: 220 })) {
    const samples = new Uint8Array(32 * 32).fill(grey);
    tiffs.add(field, tiffFile({ width: 32, height: 32, channels: 1, samples }));
  }
  const plan = movingPlan();
  const decode = (path: string, mostPx: number) => decodePicture(path, { limits: DEFAULT_MEDIA_LIMITS, mostPx });
  const own = await SkiaOverlayPainter.create({ plan, files: tiffs.files, decode });
  const opened = Promise.withResolvers<void>();
  const answers: Extract<ToThread, { type: 'decoded' }>[] = [];
  const send = async (message: FromThread) => {
    if (message.type === 'opened') opened.resolve();
    if (message.type === 'refused') opened.reject(message.failure);
    if (message.type !== 'decode') return;
    const { question, path, mostPx } = message;
    const answer = await decode(path, mostPx);
    for (const earlier of answers) ahead.hear(earlier);
    answers.push({ type: 'decoded', painter: 1, question, answer });
    ahead.hear(answers.at(-1)!);
  };
  const opening = { type: 'open', painter: 1, plan, files: tiffs.files, limits: DEFAULT_IMAGE_LIMITS } as const;
  const ahead = new AheadPainter({ ...opening, ranges: [], decodes: true }, (message) => void send(message));
  await opened.promise;
  ahead.hear({ type: 'close', painter: 1 });
  assert.deepEqual(new Set(answers.map(({ question }) => question)).size, 2);
  // The same by way of the thread, for two plans at once.
  const both = await Promise.all([1, 2].map(() => thread.open({ plan, files: tiffs.files, ranges: [], decode })));
  for (const painter of both) {
    using one = painter;
    assert.deepEqual(await painted(one, plan, 'board', frames(85)), await painted(own, plan, 'board', frames(85)));
  }
});

test('a thread that ends tells whoever waits for it', async () => {
  const plan = movingPlan();
  const doomed = new PainterThread();
  const ahead = await doomed.open({ plan, files: pictures.files, ranges: RANGES });
  const ending = doomed[Symbol.asyncDispose]();
  await Promise.all([assert.rejects(ahead.paint('board', plan.painted.board[0]!, frames(7)), /ended/), ending]);
  await assert.rejects(ahead.paint('progress', plan.painted.progress[0]!, frames(0)), /ended/);
  assert.equal(doomed.isOver, true);
});

async function painted(source: OverlaySource, plan: RenderPlan, kind: PaintCall['kind'], frame: Frames) {
  if (kind === 'clip_frame') throw new Error('no clips here');
  const layer = await source.paint(kind, plan.painted[kind][0]!, frame);
  if (layer === null) return null;
  const { still, isInPlace, moving, veil, front } = layer;
  return { still: copied(still), isInPlace, moving: copied(moving), veil, front: copied(front) };
}

/** The pixels as they are now, as plain bytes. */
function copied(overlay: Overlay | null): { rect: object; pixels: string } | null {
  return overlay && { rect: overlay.rect, pixels: Buffer.from(overlay.rgba).toString('base64') };
}
