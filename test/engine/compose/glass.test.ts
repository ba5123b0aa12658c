import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { blurUnder, glassCellPx } from '../../../src/paint/pixels/glass-blur.ts';
import { createSkiaSurface } from '../../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { PaintedPicture } from '../../../src/plan/model/painter.ts';
import { frames } from '../../../src/time.ts';
import { ssim } from '../../browser/ssim.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';

const SIZE = { width: 320, height: 180 };
const folder = mkdtempSync(join(tmpdir(), 'tiercut-glass-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Stripes, on which a blur is easy to see. */
function stripes(): string {
  const { bitmap, context } = createSkiaSurface(SIZE.width, SIZE.height);
  for (let x = 0; x < SIZE.width; x += 4) {
    context.fillStyle = x % 8 === 0 ? '#ffffff' : '#203060';
    context.fillRect(x, 0, 4, SIZE.height);
  }
  const path = join(folder, 'stripes.png');
  writeFileSync(path, bitmap.toBuffer('image/png'));
  return path;
}

const timeline = {
  videos: [{ file_field: 'stripes', start: 0, duration: 2 }],
  tier_blocks: [
    { start: 0, duration: 2, x_percent: 25, y_percent: 10, width_percent: 60, height_percent: 80, enter: 'none' },
  ],
};

async function still(theme: object, painted = true) {
  const source = fileSource(stripes(), { ...SIZE, kind: 'still', duration: 0 });
  const planned = videoPlan({ stripes: source }, timeline, { ...SIZE, theme });
  const painter = await SkiaPainter.create({ plan: planned.plan, files: new Map() });
  const used = painted ? painter : { ...painter, ...NO_PAINTER };
  const { rgba } = await renderStill({ ...planned, painter: used, limits: DEFAULT_MEDIA_LIMITS, frame: frames(10) });
  return { rgba, plan: planned.plan, painter };
}

/** The same by the browser's code: pixels blurred under the outline of the board, and the board over them. */
function twin(under: Uint8Array, board: PaintedPicture, panelOpacity: number): Uint8Array {
  const result = new Uint8Array(under);
  const { rect, rgba } = board;
  const mask = { data: rgba, start: 3, stride: rect.width * 4, step: 4, full: Math.round(panelOpacity * 255) };
  for (let channel = 0; channel < 3; channel += 1) {
    const start = (rect.y * SIZE.width + rect.x) * 4 + channel;
    blurUnder({ data: result, start, stride: SIZE.width * 4, step: 4 }, rect, glassCellPx(SIZE), mask, 1);
  }
  for (let y = 0; y < rect.height; y += 1) {
    for (let x = 0; x < rect.width; x += 1) {
      const from = (y * rect.width + x) * 4;
      const to = ((rect.y + y) * SIZE.width + rect.x + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        result[to + channel] = rgba[from + channel]! + (result[to + channel]! * (255 - rgba[from + 3]!)) / 255;
      }
    }
  }
  return result;
}

test('[C47] glass blurs what is under the panel and nothing else, as in the browser', async () => {
  const theme = { glass: true, panel_opacity: 40 };
  const glass = await still(theme);
  const clear = await still({ ...theme, glass: false });
  const bare = await still(theme, false);
  const board = glass.painter.paint('board', glass.plan.painted.board[0]!, frames(10))!.still;
  const expected = twin(bare.rgba, board, 0.4);
  const alike = ssim({ ...SIZE, rgba: glass.rgba }, { ...SIZE, rgba: expected });
  assert.ok(alike > 0.98, `SSIM with its twin ${alike}`);
  const plain = ssim({ ...SIZE, rgba: clear.rgba }, { ...SIZE, rgba: expected });
  assert.ok(plain < 0.9, `SSIM without glass ${plain}`);
  const row = (rgba: Uint8Array) => Array.from({ length: 60 }, (_, x) => rgba[(90 * SIZE.width + x) * 4]!);
  assert.deepEqual(row(glass.rgba), row(bare.rgba), 'beside the panel stripes are as sharp as ever');
});
