import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { plan, TIER_LIST } from '../../request-builder.ts';

const BLOCK = { start: 0, duration: 20 };

function planned(tier_tiles: readonly object[], settings: object): RenderPlan {
  const timeline_data = { tier_blocks: [BLOCK], tier_tiles };
  return plan({ tier_list: TIER_LIST, timeline_data, settings: { width: 640, height: 360, ...settings } }, {});
}

/** What a painter shows of the board at a frame, after other frames. */
async function painted(made: RenderPlan, ...asked: readonly number[]): Promise<string> {
  const painter = await SkiaPainter.create({ plan: made, files: new Map() });
  let last = '';
  for (const frame of asked) {
    const { still, moving, front } = painter.paint('board', made.painted.board[0]!, frames(frame))!;
    last = [still, moving, front].map((part) => part && Buffer.from(part.rgba).toString('base64')).join();
  }
  return last;
}

test('[R4, C55] a name card that is held up twice has the colour of its row each time, whatever was painted before', async () => {
  const tiles = [
    { tier_item_id: 'chips', position: 1, reveal: 'spotlight' },
    { tier_item_id: 'chips', position: 6, to_row: 'a', reveal: 'spotlight' },
  ];
  const made = planned(tiles, {});
  assert.equal(await painted(made, 210), await painted(made, 50, 210));
});

for (const reveal of [undefined, 'pop', 'spotlight', 'slam', 'none']) {
  test(`[C65] a card from a hidden pool has no start position: ${reveal ?? 'a move'}`, async () => {
    const tile = { tier_item_id: 'soup', position: 1, to_row: 'a', ...(reveal !== undefined && { reveal }) };
    const made = planned([tile], { pool: 'never' });
    for (let frame = 28; frame < 140; frame += 3) await painted(made, frame);
  });
}

test('[C44] a hidden item that changes places while another is held up is not painted', async () => {
  const held = { tier_item_id: 'chips', position: 0, reveal: 'spotlight', stamp_at: 10 };
  const unseen = { tier_item_id: 'nuts', position: 2, to_row: 'a' };
  const made = planned([held, unseen, { tier_item_id: 'nuts', position: 15 }], {});
  assert.equal(await painted(made, 150), await painted(made, 50));
});
