import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaOverlayPainter } from '../../../src/paint/skia/skia-overlay-painter.ts';
import type { RenderPlan } from '../../../src/plan/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { plan } from '../../request-builder.ts';

const HELD = frames(60);

/** A card with a name and a note, held up at `HELD`, whose row has that colour. */
function planned(color: string, theme: string, isUndecided: boolean): RenderPlan {
  const tier_list = {
    rows: [{ id: 's', label: 'S', color, item_ids: ['chips'] }],
    items: [{ id: 'chips', name: 'Chips', score: '9/10', note: 'With salt' }],
  };
  const tier_tiles = [{ tier_item_id: 'chips', position: 1, reveal: 'spotlight', stamp_at: 5 }];
  const timeline_data = { tier_blocks: [{ start: 0, duration: 20 }], tier_tiles };
  const made = plan({ tier_list, timeline_data, settings: { width: 640, height: 360, theme } }, {});
  if (!isUndecided) return made;
  const events = made.board!.events.map((event) => ({ ...event, isUndecided: true as const }));
  return { ...made, board: { ...made.board!, events } };
}

async function front(made: RenderPlan): Promise<string> {
  const painter = await SkiaOverlayPainter.create({ plan: made, files: new Map() });
  const { front: card } = painter.paint('board', made.painted.board[0]!, HELD)!;
  return Buffer.from(card!.rgba).toString('base64');
}

for (const theme of ['midnight', 'paper']) {
  test(`[R26] a card without a verdict has no colour of a row: ${theme}`, async () => {
    const [red, blue] = ['#ff2020', '#2020ff'].map((color) => front(planned(color, theme, true)));
    assert.equal(await red, await blue);
    assert.notEqual(await red, await front(planned('#ff2020', theme, false)));
  });
}
