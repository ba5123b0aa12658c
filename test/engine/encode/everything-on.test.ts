import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { plan } from '../../request-builder.ts';
import { source } from '../video-plan.ts';
import { eachFrame, renderVideo } from './render-video.ts';

const [WIDTH, HEIGHT] = [256, 144];
/** Where only the dim covers the clip. */
const AREA = { x: 176, y: 8, width: 64, height: 36 };
const FPS = 10;
const FRAMES = 70;

/** Every feature that moves, appears, disappears or sounds, in seven seconds. */
const DOCUMENTS = {
  tier_list: {
    title: 'All at once',
    rows: [
      { id: 's', label: 'S', item_ids: ['a', 'b'] },
      { id: 't', label: 'T', item_ids: ['c', 'd'] },
    ],
    items: ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id.toUpperCase(), score: '9/10', note: 'So far' })),
  },
  timeline_data: {
    videos: [
      { file_field: 'behind', duration: FRAMES / FPS, fade_in: 0.5, fade_out: 0.5 },
      {
        file_field: 'clip',
        duration: FRAMES / FPS,
        shape: 'rounded',
        border_color: '#ffffff',
        border_width: 4,
        shadow: true,
        ...{ x_percent: 68.75, y_percent: 5.5555, width_percent: 25, height_percent: 25 },
      },
      {
        file_field: 'behind',
        start: 1,
        duration: 4,
        shape: 'circle',
        enter: 'slide',
        exit: 'rise',
        enter_duration: 0.5,
        ...{ x_percent: 70, y_percent: 50, width_percent: 20, height_percent: 35.5 },
      },
    ],
    tier_blocks: [
      {
        start: 0.5,
        duration: 6,
        enter: 'rise',
        exit: 'slide',
        enter_duration: 0.4,
        ...{ x_percent: 2, y_percent: 4, width_percent: 62, height_percent: 70 },
      },
    ],
    tier_tiles: [
      { tier_item_id: 'a', position: 1, reveal: 'spotlight', sound_field: 'whoosh' },
      { tier_item_id: 'b', position: 2.5, reveal: 'slam', sound_field: 'impact' },
      { tier_item_id: 'c', position: 2.6, reveal: 'pop' },
      { tier_item_id: 'd', position: 3.5, to_row: 's', index: 0 },
      { tier_item_id: 'a', position: 4, to_row: 't' },
    ],
    subtitles: [
      {
        text: 'Word by word',
        start: 0.5,
        duration: 5,
        enter: 'fade',
        exit: 'rise',
        words: [
          { text: 'Word', start: 0.5 },
          { text: 'by', start: 1.5 },
          { text: 'word', start: 3 },
        ],
        ...{ x_percent: 5, y_percent: 78, width_percent: 60, height_percent: 18 },
      },
    ],
  },
  settings: {
    ...{ width: WIDTH, height: HEIGHT, fps: FPS, quality: 'draft', shorts: true },
    ...{
      theme: { base: 'neon', glass: true, panel_opacity: 60 },
      counter: true,
      progress_bar: true,
      reveal_sound: 'pop',
    },
  },
};

test('[R4][R5] with all features switched on, every frame is in its place: board, glass, reveals, moves, words, transitions', async () => {
  const clip = await source({ frames: FRAMES, width: 64, height: 36, rate: { num: FPS, den: 1 } });
  const behind = await source({ frames: FRAMES, width: 96, height: 54, rate: { num: FPS, den: 1 }, firstNumber: 1000 });
  const made = plan(DOCUMENTS, { clip: clip.facts, behind: behind.facts });
  assert.deepEqual([made.totalFrames, made.warnings], [FRAMES, []]);
  assert.deepEqual(
    [made.board?.events.map(({ style }) => style), made.theme.glass, made.painted.progress.length],
    [['spotlight', 'slam', 'pop', 'move', 'move'], true, 1],
  );
  const sounds = made.audio.clips.filter(({ lane }) => lane === 'tier_tiles');
  assert.deepEqual(
    sounds.map(({ source: heard, slot }) => [heard, slot.start / 48_000]),
    [
      ['stamp', 1.7],
      // It sets out early, so that the slam at 2.5 s meets no card in flight.
      ['whoosh', 1.99],
      ['pop', 2.6],
      ['impact', 2.8],
      ['pop', 3.5],
      ['pop', 4.1],
    ],
  );

  const paths = { clip: clip.clip.file, behind: behind.clip.file };
  const files = new Map(made.sources.map(({ field }, index) => [index, paths[field as keyof typeof paths]]));
  const painter = await SkiaPainter.create({ plan: made, files: new Map(Object.entries(paths)) });
  const numbers: (number | null)[] = [];
  await eachFrame(await renderVideo({ plan: made, files, painter }), ({ data, linesize, width, height }) => {
    numbers.push(readFrameNumber(undimmed({ data: data![0]!, stride: linesize[0]!, width, height }), AREA));
  });
  assert.deepEqual(
    numbers,
    Array.from({ length: FRAMES }, (_, n) => n),
  );
});

test('[R4][R11] 500 items that are revealed over a clip leave each of its frames in place', async () => {
  const items = Array.from({ length: 500 }, (_, n) => ({ id: `i${n}`, name: `Item ${n}` }));
  const rows = ['s', 'a', 'b', 'c', 'd', 'f'].map((id, row) => ({
    id,
    label: id,
    item_ids: items.map((item) => item.id).filter((_, n) => n % 6 === row),
  }));
  const seconds = 2;
  const film = { file_field: 'film', duration: seconds };
  const documents = {
    tier_list: { title: 'Many', rows, items },
    timeline_data: {
      videos: [
        { ...film, layer: 'below_board' },
        { ...film, layer: 'above_board', x_percent: 68.75, y_percent: 5.5555, width_percent: 25, height_percent: 25 },
      ],
      tier_blocks: [{ start: 0, duration: seconds, x_percent: 2, y_percent: 4, width_percent: 62, height_percent: 92 }],
      tier_tiles: items.map(({ id }, n) => ({ tier_item_id: id, position: (n * seconds) / 500, reveal: 'pop' })),
    },
    settings: { width: WIDTH, height: HEIGHT, fps: FPS, quality: 'draft' },
  };
  const { clip, facts } = await source({ frames: seconds * FPS, width: 64, height: 36, rate: { num: FPS, den: 1 } });
  const made = plan(documents, { film: facts });
  const painter = await SkiaPainter.create({ plan: made, files: new Map([['film', clip.file]]) });
  const numbers: (number | null)[] = [];
  const files = new Map([[0, clip.file]]);
  await eachFrame(await renderVideo({ plan: made, files, painter }), ({ data, linesize, width, height }) => {
    numbers.push(readFrameNumber({ data: data![0]!, stride: linesize[0]!, width, height }, AREA));
  });
  assert.deepEqual(
    numbers,
    Array.from({ length: seconds * FPS }, (_, n) => n),
  );
  assert.equal(made.board?.events.length, 500);
});

/** The clip's part with its black and its white as they were without the dim. */
function undimmed(plane: Parameters<typeof readFrameNumber>[0]): typeof plane {
  const { data, stride } = plane;
  const [seen, rows] = [new Uint8Array(data), Array.from({ length: AREA.height - 8 }, (_, row) => AREA.y + 4 + row)];
  const inside = rows.flatMap((y) => [...seen.subarray(y * stride + AREA.x + 4, y * stride + AREA.x + AREA.width - 4)]);
  const [darkest, brightest] = [Math.min(...inside), Math.max(...inside)];
  assert.ok(brightest - darkest > 40, 'black and white are distinct');
  return {
    ...plane,
    data: seen.map((luma) => 16 + Math.max(0, Math.min(219, ((luma - darkest) * 219) / (brightest - darkest)))),
  };
}
