import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import type { Painting } from '../../../src/plan/model/painter.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { confettiEnd } from '../../../src/plan/reveal/confetti.ts';
import { frames } from '../../../src/time.ts';
import { THEMES } from '../../../src/timeline/choices.ts';
import { plan, TIER_LIST } from '../../request-builder.ts';

const later = { tier_item_id: 'fruit', position: 3.5, to_row: 's', index: 0 };
const made = (settings: object = {}, tiles: object[] = []): RenderPlan =>
  plan(
    {
      tier_list: TIER_LIST,
      timeline_data: {
        tier_blocks: [{ start: 0, duration: 8 }],
        tier_tiles: [{ tier_item_id: 'chips', position: 2, effect: 'confetti' }, ...tiles],
      },
      settings: { width: 640, height: 360, ...settings },
    },
    {},
  );

async function painterOf(planned: RenderPlan): Promise<(frame: number) => Painting> {
  const painter = await SkiaPainter.create({ plan: planned, files: new Map() });
  return (frame) => painter.paint('board', planned.painted.board[0]!, frames(frame))!;
}

/** Pixels of the front that something is drawn on. */
function drawn({ front }: Painting): number {
  return front === null ? 0 : front.rgba.filter((value, at) => at % 4 === 3 && value > 0).length;
}

test('[C55, R4] confetti is a function of the plan and the frame, whichever frames were painted before', async () => {
  const planned = made({}, [later]);
  const { lands } = planned.board!.events[0]!;
  const shown = [1, 20, 45, 55].map((frame) => lands + frame);
  const [forwards, backwards] = [await painterOf(planned), await painterOf(planned)];
  const there = shown.map((frame) => forwards(frame).front);
  const back = shown.toReversed().map((frame) => backwards(frame).front);
  assert.deepEqual(back.toReversed(), there);
});

test('[C55] confetti covers little, does not change the still board, and is gone after 2 s', async () => {
  for (const theme of THEMES) {
    const planned = made({ theme });
    const paint = await painterOf(planned);
    const event = planned.board!.events[0]!;
    const end = confettiEnd(event, planned.rate);
    const covered = [5, 20, 40].map((frame) => drawn(paint(event.lands + frame)) / (640 * 360));
    assert.ok(
      covered.every((share) => share > 0.001 && share < 0.03),
      `${theme}: ${covered}`,
    );
    // The card is at rest while slips still fall: nothing but them is painted.
    const { still, moving, front } = paint(end - 5);
    assert.deepEqual([moving, front !== null], [null, true]);
    const after = paint(end);
    assert.equal(after.front, null);
    assert.deepEqual(after.still.rgba, still.rgba);
  }
});
