import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { frameAt } from '../../src/plan/frame/frame-at.ts';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import { SECONDS } from '../../src/plan/reveal/course.ts';
import { type Frames, frames, framesToPass } from '../../src/time.ts';
import { THEMES } from '../../src/timeline/choices.ts';
import { picture, plan } from '../request-builder.ts';
import { bmpOf } from './picture-files.ts';

const ROWS = ['S', 'A', 'B', 'C'];
const COLORS = ['#ff2020', '#ffb020', '#20c060', '#2060ff'];
/** Every row has room for one more card, so the item changes no size (R11). */
const OTHERS = ROWS.map((label) => [`${label}-1`, `${label}-2`]);

interface Wanted {
  readonly row: number;
  readonly theme: string;
  readonly reveal: string;
  readonly more?: object;
  readonly settings?: object;
}

/** The same project with the item in that row. Its picture is a file or its name. */
function planned({ row, theme, reveal, more = {}, settings = {} }: Wanted, file: string | null): RenderPlan {
  const tier_list = {
    title: 'Snacks, ranked',
    rows: ROWS.map((label, index) => {
      const item_ids = index === row ? [...OTHERS[index]!, 'it'] : OTHERS[index];
      return { id: label, label, color: COLORS[index], item_ids };
    }),
    items: [
      { id: 'it', name: 'Crisps', score: '9/10', note: 'With salt', ...(file !== null && { file_field: file }) },
      ...OTHERS.flat().map((id) => ({ id, name: id })),
    ],
  };
  const timeline_data = {
    tier_blocks: [{ start: 0, duration: 8 }],
    tier_tiles: [{ tier_item_id: 'it', position: 0.4, reveal, ...more }],
  };
  const all = { width: 320, height: 180, counter: true, theme, ...settings };
  const media = file === null ? {} : { [file]: picture(file, 400, 400) };
  return plan({ tier_list, timeline_data, settings: all }, media);
}

/** Everything that is seen at a frame: what the board paints, and what is done to the picture behind it. */
function seen(made: RenderPlan, painter: SkiaPainter, n: Frames): string {
  const behind = frameAt(made, n).filter(({ draw }) => draw === 'dim' || draw === 'shake');
  const { still, moving, front } = painter.paint('board', made.painted.board[0]!, n)!;
  const hash = createHash('sha256').update(JSON.stringify(behind));
  for (const part of [still, moving, front]) hash.update(JSON.stringify(part?.rect ?? null)).update(part?.rgba ?? '');
  return hash.digest('hex');
}

/** When the verdict shows: a stamp falls, or a slammed card does. */
function verdictOf({ board, rate }: RenderPlan): Frames {
  const { style, at, verdict } = board!.events[0]!;
  return style === 'slam' ? frames(at + framesToPass(SECONDS.slam.hangs, rate)) : verdict;
}

async function assertNoSpoiler(wanted: Omit<Wanted, 'row'>, file: string | null = null): Promise<void> {
  const plans = [0, ROWS.length - 1].map((row) => planned({ ...wanted, row }, file));
  const files = new Map(file === null ? [] : [[file, PICTURE]]);
  const painters = await Promise.all(plans.map((made) => SkiaPainter.create({ plan: made, files })));
  const end = Math.min(...plans.map(verdictOf));
  assert.ok(end > 10);
  const [first, last] = plans.map((made, i) => (n: number) => seen(made, painters[i]!, frames(n)));
  for (let n = 0; n < end; n += 1) assert.equal(first!(n), last!(n), `frame ${n} of ${end} differs`);
  assert.notEqual(first!(end + 15), last!(end + 15));
}

const folder = mkdtempSync(join(tmpdir(), 'no-spoiler-'));
const PICTURE = join(folder, 'crisps.bmp');
before(() => writeFileSync(PICTURE, bmpOf(200, 200)));
after(() => rmSync(folder, { recursive: true }));

const FORMATS = [
  ['landscape', { width: 320, height: 180 }],
  ['portrait', { width: 180, height: 320 }],
  ['square', { width: 240, height: 240 }],
] as const;

// Each style in each theme, and in each format in turn.
for (const [index, theme] of THEMES.entries()) {
  for (const [nth, reveal] of (['spotlight', 'slam'] as const).entries()) {
    const [name, settings] = FORMATS[(index + nth) % FORMATS.length]!;
    test(`[R36] until the verdict, a frame is the same for the first and the last row: ${reveal}, ${theme}, ${name}`, async () => {
      await assertNoSpoiler({ theme, reveal, settings });
      await assertNoSpoiler({ theme, reveal, settings }, 'crisps.bmp');
    });
  }
}

for (const [what, settings, more] of [
  ['with confetti at the landing', {}, { effect: 'confetti' }],
  ['with items that are not ranked', { pool: 'always' }, {}],
] as const) {
  test(`[R36] until the verdict, a frame is the same for the first and the last row: ${what}`, async () => {
    for (const reveal of ['spotlight', 'slam']) {
      await assertNoSpoiler({ theme: 'midnight', reveal, settings, more }, 'crisps.bmp');
    }
  });
}
