import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dim, Operation, Shift } from '../../../src/plan/frame/frame-at.ts';
import { frames } from '../../../src/time.ts';
import type { Render } from '../encode/render-video.ts';
import { flatPainted, painterOf, resting } from '../test-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { colorAt, composeFrames } from './compose-frames.ts';
import { patchClip } from './patch-clip.ts';

const SIZE = { width: 160, height: 90 };

/** Colours at places of a frame of the first reveal, with this dim and shake instead of its own. */
async function colorsOf<Place extends string>(
  render: Render,
  { dim, shake }: { readonly dim: Dim | null; readonly shake: Shift | null },
  places: Readonly<Record<Place, readonly [x: number, y: number]>>,
): Promise<Record<Place, readonly number[]>> {
  const n = render.plan.board!.events[0]!.at + 8;
  const colors: Record<string, readonly number[]> = {};
  await composeFrames(
    render,
    { start: frames(n), end: frames(n + 1) },
    (frame) => {
      for (const [place, [x, y]] of Object.entries<readonly [number, number]>(places))
        colors[place] = colorAt(frame, x, y);
    },
    (operations) => {
      const others = operations.filter(({ draw }) => draw !== 'dim' && draw !== 'shake');
      const boards = others.findLastIndex((each) => each.draw === 'painted' && each.layer.kind === 'board') + 1;
      const effects: Operation[] = [];
      if (dim !== null) effects.push({ draw: 'dim', ...dim });
      if (shake !== null) effects.push({ draw: 'shake', ...shake });
      const above = dim && { ...dim, alpha: Math.min(dim.alpha, 0.25) };
      const front = others.slice(boards).map((each) => (each.draw === 'clip' ? { ...each, dim: above } : each));
      return [...others.slice(0, boards), ...effects, ...front];
    },
  );
  return colors as Record<Place, readonly number[]>;
}

function assertColors(
  seen: Readonly<Record<string, readonly number[]>>,
  expected: Readonly<Record<string, readonly number[]>>,
  within: number,
): void {
  for (const [place, color] of Object.entries(expected)) {
    assert.ok(
      color.every((channel, index) => Math.abs(channel - seen[place]![index]!) <= within),
      `${place}: ${seen[place]} instead of ${color}`,
    );
  }
}

test('[R19] a dim darkens background and board alike, but not the layers in front of it or texts', async () => {
  const timeline = {
    tier_blocks: [{ start: 0, duration: 4 }],
    tier_tiles: [{ tier_item_id: 'a', position: 1 }],
    subtitles: [{ text: 'x', start: 0, duration: 4 }],
  };
  const planned = videoPlan({}, timeline, { ...SIZE, background: '#c8961e', reveal: 'spotlight' });
  const painter = painterOf({
    board: () => ({
      isInPlace: true,
      still: flatPainted({ x: 40, y: 20, width: 80, height: 50 }, [40, 200, 90, 255]),
      moving: flatPainted({ x: 40, y: 30, width: 80, height: 10 }, [220, 60, 120, 255]),
      front: flatPainted({ x: 60, y: 40, width: 40, height: 20 }, [250, 240, 60, 128]),
    }),
    subtitle: () => resting(flatPainted({ x: 11, y: 81, width: 61, height: 7 }, [250, 250, 250, 255])),
  });
  const dim = { color: [6, 7, 10], alpha: 0.5 } as const;
  const places = { ground: [10, 10], still: [50, 25], moving: [50, 35], halfCard: [80, 50], text: [30, 84] } as const;
  const expected = {
    ground: [103, 79, 20],
    still: [23, 104, 50],
    moving: [113, 34, 65],
    halfCard: [137, 172, 55],
    text: [250, 250, 250],
  };
  assertColors(await colorsOf({ ...planned, painter }, { dim, shake: null }, places), expected, 4);
});

test('[C54] [R27] a clip in front of the board is not covered by it, keeps three quarters of its light, and stays behind the card', async () => {
  const box = { x_percent: 25, y_percent: 25, width_percent: 50, height_percent: 50, fit: 'cover' };
  const colorsAt = async (alpha: number, layer: string | undefined, isHeldUp: boolean) => {
    const timeline = {
      videos: [{ file_field: 'clip', duration: 4, ...box, shape: 'rect', ...(layer !== undefined && { layer }) }],
      tier_blocks: [{ start: 0, duration: 4, x_percent: 0, y_percent: 0, width_percent: 100, height_percent: 100 }],
      tier_tiles: [{ tier_item_id: 'a', position: 1 }],
    };
    const clip = fileSource(await patchClip({ patches: [[200, 200, 200]], ...SIZE }), SIZE);
    const planned = videoPlan({ clip }, timeline, { ...SIZE, background: '#c8961e', reveal: 'spotlight' });
    const painter = painterOf({
      board: () => ({
        isInPlace: true,
        still: flatPainted({ x: 0, y: 0, width: 160, height: 90 }, [40, 200, 90, 255]),
        moving: null,
        front: isHeldUp ? flatPainted({ x: 60, y: 40, width: 20, height: 20 }, [250, 0, 0, 255]) : null,
      }),
      subtitle: () => null,
    });
    const dim = alpha === 0 ? null : ({ color: [0, 0, 0], alpha } as const);
    return colorsOf({ ...planned, painter }, { dim, shake: null }, { clip: [50, 30], card: [70, 50] });
  };
  assertColors(await colorsAt(0, undefined, false), { clip: [200, 200, 200] }, 4);
  assertColors(await colorsAt(0, 'below_board', false), { clip: [40, 200, 90] }, 4);
  assertColors(await colorsAt(0.66, undefined, true), { clip: [150, 150, 150], card: [250, 0, 0] }, 4);
  assertColors(await colorsAt(0.1, undefined, true), { clip: [180, 180, 180] }, 4);
});

test('[R30] a shake moves the board and the layers below it, repeats the edge, and does not move clips above or texts', async () => {
  const timeline = {
    videos: [
      {
        file_field: 'clip',
        duration: 4,
        x_percent: 75,
        y_percent: 0,
        width_percent: 25,
        height_percent: 25,
        fit: 'cover',
        shape: 'rect',
      },
    ],
    tier_blocks: [{ start: 0, duration: 4 }],
    tier_tiles: [{ tier_item_id: 'a', position: 1 }],
    subtitles: [{ text: 'x', start: 0, duration: 4 }],
  };
  const clip = fileSource(await patchClip({ patches: [[200, 200, 200]], ...SIZE }), SIZE);
  const planned = videoPlan({ clip }, timeline, { ...SIZE, background: '#c8961e', reveal: 'slam' });
  const painter = painterOf({
    board: () => resting(flatPainted({ x: 0, y: 20, width: 80, height: 50 }, [40, 200, 90, 255])),
    subtitle: () => resting(flatPainted({ x: 11, y: 81, width: 61, height: 7 }, [250, 250, 250, 255])),
  });
  const [ground, board] = [
    [200, 150, 30],
    [40, 200, 90],
  ] as const;
  const expected: Readonly<Record<string, readonly [place: readonly [number, number], color: readonly number[]]>> = {
    'the board, ten pixels to the right': [[86, 40], board],
    'its edge, repeated': [[2, 40], board],
    'six pixels up': [[40, 16], board],
    'the background below it': [[40, 68], ground],
    'the background’s edge': [[120, 88], ground],
    'the clip above it': [
      [122, 4],
      [200, 200, 200],
    ],
    'beside the clip': [[117, 4], ground],
    'the text': [
      [30, 84],
      [250, 250, 250],
    ],
  };
  const part = <Index extends 0 | 1>(index: Index) =>
    Object.fromEntries(Object.entries(expected).map(([what, both]) => [what, both[index]] as const));
  const shake = { x: 10, y: -6 };
  assertColors(await colorsOf({ ...planned, painter }, { dim: null, shake }, part(0)), part(1), 6);
});
