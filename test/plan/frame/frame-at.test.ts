import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipsIn, frameAt, type Operation } from '../../../src/plan/frame/frame-at.ts';
import type { MediaFacts } from '../../../src/plan/model/media-facts.ts';
import type { RenderPlan } from '../../../src/plan/model/render-plan.ts';
import { frames } from '../../../src/time.ts';
import { facts, plan } from '../../request-builder.ts';

const FPS = 30;
const SIZE = { width: 1920, height: 1080 };
const ITEMS = ['a', 'b'].map((id) => ({ id, name: id }));
const TIER_LIST = { rows: [{ id: 's', label: 'S', item_ids: ['a', 'b'] }], items: ITEMS };

function planned(
  timeline_data: object,
  settings: object = {},
  media: Readonly<Record<string, MediaFacts>> = { film: facts('film', SIZE) },
): RenderPlan {
  return plan({ tier_list: TIER_LIST, timeline_data, settings: { ...SIZE, fps: FPS, ...settings } }, media);
}

/** Operations as short words: `clip 2`, `painted board 0`, `mix 1: background, clip 0 / background, clip 1`. */
function words(operations: readonly Operation[]): string[] {
  return operations.map((operation) => {
    if ('layer' in operation) return `${operation.draw} ${operation.layer.kind} ${operation.layer.index}`;
    if (operation.draw === 'mix')
      return `mix ${operation.clip}: ${words(operation.from).join(', ')} / ${words(operation.to).join(', ')}`;
    if (operation.draw === 'group') return `group ${operation.clip}: ${words(operation.operations).join(', ')}`;
    return operation.draw === 'clip' ? `clip ${operation.clip}` : operation.draw;
  });
}

function wordsAt(made: RenderPlan, n: number): string[] {
  return words(frameAt(made, frames(n)));
}

const BOX = { x_percent: 70, y_percent: 60, width_percent: 25, height_percent: 30, shape: 'rect' };
const EVERYTHING = {
  videos: [
    { file_field: 'film', duration: 6 },
    { file_field: 'film', duration: 6, ...BOX },
  ],
  tier_blocks: [{ start: 0, duration: 6, x_percent: 5, y_percent: 5, width_percent: 90, height_percent: 90 }],
  tier_tiles: [
    { tier_item_id: 'a', position: 1, reveal: 'spotlight' },
    { tier_item_id: 'b', position: 4.5, reveal: 'slam' },
  ],
  titles: [{ text: 'Round one', start: 0, duration: 6 }],
  subtitles: [{ text: 'hello', start: 0, duration: 6 }],
};

test('[R6] [R19] [C54] a frame is the background, clips, boards, dim, clips in front, cards, texts', () => {
  const made = planned(EVERYTHING, { progress_bar: true });
  const texts = ['painted title 0', 'painted subtitle 0', 'painted progress 0'];
  assert.deepEqual(wordsAt(made, 0), ['background', 'clip 0', 'painted board 0', 'clip 1', ...texts]);
  const held = made.board!.events[0]!.at + 10;
  const moving = ['background', 'clip 0', 'painted board 0', 'dim', 'clip 1', 'front board 0', ...texts];
  assert.deepEqual(wordsAt(made, held), moving);
});

test('[R19] [R27] a spotlight dims the canvas in steps; a small board, and clips in front of it, less', () => {
  const dimsOf = (made: RenderPlan) => {
    const { at, end } = made.board!.events[0]!;
    return Array.from({ length: end + 1 - at }, (_, n) => {
      const operations = frameAt(made, frames(at + n));
      const dim = operations.find(({ draw }) => draw === 'dim');
      const above = operations.findLast(({ draw }) => draw === 'clip');
      return [dim?.draw === 'dim' ? dim.alpha : 0, above?.draw === 'clip' ? (above.dim?.alpha ?? 0) : 0] as const;
    });
  };
  const large = dimsOf(planned(EVERYTHING));
  assert.equal(Math.max(...large.map(([dim]) => dim)), 200 / 256);
  assert.equal(large[0]![0], 0);
  assert.equal(large.at(-1)![0], 0);
  assert.ok(large.every(([dim, above]) => Number.isInteger(dim * 256) && above === Math.min(dim, 0.25)));
  const small = { ...EVERYTHING, tier_blocks: [{ ...EVERYTHING.tier_blocks[0], width_percent: 50 }] };
  assert.equal(Math.max(...dimsOf(planned(small)).map(([dim]) => dim)), 102 / 256);
});

test('[R20] the dim of a board that fades in fades in with it', () => {
  const blocks = (enter: object) => ({
    tier_blocks: [{ start: 0, duration: 6, ...enter }],
    tier_tiles: [{ tier_item_id: 'a', position: 0.2, reveal: 'spotlight' }],
  });
  const alphaAt = (enter: object, n: number) =>
    frameAt(planned(blocks(enter)), frames(n)).flatMap((each) => (each.draw === 'dim' ? [each.alpha] : []));
  assert.deepEqual(alphaAt({}, 15), [200 / 256]);
  // Half of the second has passed in the middle of frame 15.
  assert.deepEqual(alphaAt({ enter: 'fade', enter_duration: 1 }, 15), [Math.round((200 * 15.5) / 30) / 256]);
});

test('[R30] a slam shakes what is behind its card by even pixels, behind clips in front of the board', () => {
  const made = planned(EVERYTHING);
  const { lands } = made.board!.events[1]!;
  const shaken = wordsAt(made, lands);
  assert.deepEqual(shaken.slice(0, 5), ['background', 'clip 0', 'painted board 0', 'shake', 'clip 1']);
  for (let n = lands as number; n < lands + 12; n += 1) {
    for (const each of frameAt(made, frames(n))) {
      if (each.draw === 'shake') assert.ok(each.x % 2 === 0 && each.y % 2 === 0 && Math.abs(each.y) <= 18);
    }
  }
});

test('[R9] a layer at rest is painted for the first frame of its span, and frames at rest are equal but for source times', () => {
  const made = planned({ ...EVERYTHING, videos: [] });
  assert.deepEqual(frameAt(made, frames(15)), frameAt(made, frames(29)));
  const { at } = made.board!.events[0]!;
  assert.notDeepEqual(frameAt(made, frames(at + 1)), frameAt(made, frames(at + 2)));
  const withClips = planned(EVERYTHING);
  const times = [0, 29].map((n) => [...clipsIn(frameAt(withClips, frames(n)))].map(({ at: time }) => time));
  assert.deepEqual(times, [
    [15_666, 15_666],
    [982_333, 982_333],
  ]);
});

test('[C47] glass blurs what is under all boards before the first is drawn', () => {
  const tier_blocks = [0, 50].map((x_percent) => ({ start: 0, duration: 2, x_percent, width_percent: 50 }));
  const made = planned({ ...EVERYTHING, tier_blocks }, { theme: { base: 'neon', glass: true } });
  const drawn = wordsAt(made, 0);
  assert.deepEqual(drawn.slice(0, 5), ['background', 'clip 0', 'glass', 'painted board 0', 'painted board 1']);
});

const CUT = [
  { file_field: 'film', duration: 2 },
  { file_field: 'film', start: 2, duration: 2, transition: { kind: 'crossfade', duration: 1 } },
];

test('[C58] a transition is one picture of two, each over what is below it', () => {
  const made = planned({ videos: CUT });
  assert.deepEqual(wordsAt(made, 44), ['background', 'clip 0']);
  const mixed = frameAt(made, frames(60));
  assert.deepEqual(words(mixed), ['mix 1: background, clip 0 / background, clip 1']);
  const [mix] = mixed;
  assert.ok(mix?.draw === 'mix');
  assert.deepEqual(mix.mix, { by: 'share', share: 15.5 / 30, fromScale: 1, toScale: 1 });
  assert.deepEqual(wordsAt(made, 75), ['background', 'clip 1']);
});

test('[C58] a clip between the two stays in front of the first, whichever of the two is listed first', () => {
  const between = { file_field: 'film', duration: 4, ...BOX, layer: 'below_board' };
  const [first, second] = CUT;
  const made = planned({ videos: [first, between, second] });
  assert.deepEqual(wordsAt(made, 60), ['mix 2: background, clip 0, clip 1 / background, clip 1, clip 2']);
  const reversed = planned({ videos: [second, between, first] });
  const drawn = wordsAt(reversed, 60);
  assert.equal(drawn[0], 'mix 0: background, clip 2 / background, clip 0');
});

test('[C58] in front of a board, a transition hides it, and is dimmed as one picture', () => {
  const videos = CUT.map((clip) => ({ ...clip, layer: 'above_board' }));
  const tier_tiles = [{ tier_item_id: 'a', position: 1.5, reveal: 'spotlight' }];
  const operations = frameAt(planned({ videos, tier_blocks: EVERYTHING.tier_blocks, tier_tiles }), frames(60));
  assert.deepEqual(words(operations), [
    ...['background', 'painted board 0', 'dim', 'mix 1: background, clip 0 / background, clip 1', 'front board 0'],
  ]);
  const mix = operations[3]!;
  assert.equal(mix.draw === 'mix' && mix.dim?.alpha, 0.25);
});

test('[C61] bars that show a gradient fade with their clip, and hide the board below it', () => {
  const square = { file_field: 'film', duration: 4, fit: 'contain', crop_w: 50 };
  const background = { kind: 'gradient', colors: ['#204060', '#a03010'], moving: true };
  const fading = planned({ videos: [{ ...square, fade_in: 1 }] }, { background });
  assert.deepEqual(wordsAt(fading, 10), ['background', 'group 0: background, clip 0']);
  assert.deepEqual(wordsAt(fading, 40), ['background', 'clip 0']);
  const { tier_blocks } = EVERYTHING;
  const above = planned({ videos: [{ ...square, layer: 'above_board' }], tier_blocks }, { background });
  assert.deepEqual(wordsAt(above, 40), ['background', 'painted board 0', 'group 0: background, clip 0']);
  const moves = [0, 2, 3, 30].map((n) => {
    const [first] = frameAt(fading, frames(n));
    return first!.draw === 'background' && first!.move;
  });
  assert.deepEqual(moves, [0, 0, 1, 10]);
});

test('[R20] [C59] a clip has its presence and its view at every frame', () => {
  const film = {
    file_field: 'film',
    duration: 4,
    fit: 'cover',
    motion: { from: { scale: 2 }, to: { scale: 1 }, ease: 'linear' },
  };
  const made = planned({ videos: [{ ...film, enter: 'slide', enter_duration: 1 }] });
  const [first, last] = [0, 119].map((n) => [...clipsIn(frameAt(made, frames(n)))][0]!);
  assert.ok(first!.presence!.x > 1500 && first!.presence!.opacity === 1);
  assert.equal(last!.presence, null);
  assert.ok(first!.view.width < 970 && last!.view.width > 1900, `${first!.view.width} ${last!.view.width}`);
});
