import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { type Frames, frames } from '../../../src/time.ts';
import { THEMES } from '../../../src/timeline/choices.ts';
import { plan } from '../../request-builder.ts';

const HELD = frames(60);

interface Look {
  readonly theme: string;
  readonly width: number;
  readonly height: number;
}

/** A card with a name and a note, held up at `HELD`, whose row has that colour. */
function planned(color: string, look: Look, isUndecided: boolean): RenderPlan {
  const tier_list = {
    rows: [{ id: 's', label: 'S', color, item_ids: ['chips'] }],
    items: [{ id: 'chips', name: 'Chips', score: '9/10', note: 'With salt' }],
  };
  const tier_tiles = [{ tier_item_id: 'chips', position: 1, reveal: 'spotlight', stamp_at: 5 }];
  const timeline_data = { tier_blocks: [{ start: 0, duration: 20 }], tier_tiles };
  const made = plan({ tier_list, timeline_data, settings: look }, {});
  if (!isUndecided) return made;
  const events = made.board!.events.map((event) => ({ ...event, isUndecided: true as const }));
  return { ...made, board: { ...made.board!, events } };
}

async function front(made: RenderPlan, frame: Frames): Promise<string> {
  const painter = await SkiaPainter.create({ plan: made, files: new Map() });
  const { front: card } = painter.paint('board', made.painted.board[0]!, frame)!;
  return Buffer.from(card!.rgba).toString('base64');
}

const FORMATS = [
  { width: 320, height: 180 },
  { width: 180, height: 320 },
  { width: 240, height: 240 },
];

for (const [index, theme] of THEMES.entries()) {
  const look = { theme, ...FORMATS[index % FORMATS.length]! };
  test(`[R26, R36] a card has no colour of a row before its verdict, and never in the preview of a take: ${theme}`, async () => {
    const [red, blue] = ['#ff2020', '#2020ff'];
    const undecided = await front(planned(red!, look, true), HELD);
    for (const [color, is] of [
      [blue, true],
      [red, false],
      [blue, false],
    ] as const) {
      assert.equal(await front(planned(color!, look, is), HELD), undecided);
    }
    const after = frames(170);
    assert.notEqual(await front(planned(red!, look, false), after), await front(planned(blue!, look, false), after));
  });
}
