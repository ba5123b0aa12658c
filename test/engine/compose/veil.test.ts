import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { frames } from '../../../src/time.ts';
import { flatOverlay, painterOf, resting } from '../test-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { patchClip } from './patch-clip.ts';
import { pixel } from './seen-colors.ts';

const SIZE = { width: 160, height: 90 };

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
      shake: null,
      still: flatOverlay({ x: 40, y: 20, width: 80, height: 50 }, [40, 200, 90, 255]),
      moving: flatOverlay({ x: 40, y: 30, width: 80, height: 10 }, [220, 60, 120, 255]),
      veil: { color: [6, 7, 10], alpha: 0.5 },
      front: flatOverlay({ x: 60, y: 40, width: 40, height: 20 }, [250, 240, 60, 128]),
    }),
    subtitle: () => resting(flatOverlay({ x: 11, y: 81, width: 61, height: 7 }, [250, 250, 250, 255])),
  });
  const frame = frames(planned.plan.board!.events[0]!.at + 8);
  const { rgba } = await renderStill({ ...planned, painter, limits: DEFAULT_MEDIA_LIMITS, frame });
  const expected: [string, readonly [number, number], readonly number[]][] = [
    ['the background', [10, 10], [103, 79, 20]],
    ['the still board', [50, 25], [23, 104, 50]],
    ['its moving part', [50, 35], [113, 34, 65]],
    ['half the card over the board', [80, 50], [137, 172, 55]],
    ['the text', [30, 84], [250, 250, 250]],
  ];
  for (const [what, [x, y], color] of expected) {
    const seen = pixel(rgba, SIZE.width, x, y);
    assert.ok(
      color.every((channel, index) => Math.abs(channel - seen[index]!) <= 4),
      `${what}: ${seen} instead of ${color}`,
    );
  }
});

test('[C54] [R27] a clip in front of the board is not covered by it, keeps three quarters of its light, and stays behind the card', async () => {
  const box = { x_percent: 25, y_percent: 25, width_percent: 50, height_percent: 50, fit: 'cover' };
  const lumaOf = async (veil: number, layer: string | undefined, isHeldUp: boolean) => {
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
        shake: null,
        still: flatOverlay({ x: 0, y: 0, width: 160, height: 90 }, [40, 200, 90, 255]),
        moving: null,
        veil: veil === 0 ? null : { color: [0, 0, 0], alpha: veil },
        front: isHeldUp ? flatOverlay({ x: 60, y: 40, width: 20, height: 20 }, [250, 0, 0, 255]) : null,
      }),
      subtitle: () => null,
    });
    const frame = frames(planned.plan.board!.events[0]!.at + 8);
    const { rgba } = await renderStill({ ...planned, painter, limits: DEFAULT_MEDIA_LIMITS, frame });
    return { clip: pixel(rgba, SIZE.width, 50, 30), card: pixel(rgba, SIZE.width, 70, 50) };
  };
  const near = (seen: readonly number[], color: readonly number[]) =>
    assert.ok(
      color.every((channel, index) => Math.abs(channel - seen[index]!) <= 4),
      `${seen} instead of ${color}`,
    );
  near((await lumaOf(0, undefined, false)).clip, [200, 200, 200]);
  near((await lumaOf(0, 'below_board', false)).clip, [40, 200, 90]);
  const dimmed = await lumaOf(0.66, undefined, true);
  near(dimmed.clip, [150, 150, 150]);
  near(dimmed.card, [250, 0, 0]);
  near((await lumaOf(0.1, undefined, true)).clip, [180, 180, 180]);
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
    board: () => ({
      ...resting(flatOverlay({ x: 0, y: 20, width: 80, height: 50 }, [40, 200, 90, 255])),
      shake: { x: 10, y: -6 },
    }),
    subtitle: () => resting(flatOverlay({ x: 11, y: 81, width: 61, height: 7 }, [250, 250, 250, 255])),
  });
  const frame = frames(planned.plan.board!.events[0]!.at + 8);
  const { rgba } = await renderStill({ ...planned, painter, limits: DEFAULT_MEDIA_LIMITS, frame });
  const [ground, board] = [
    [200, 150, 30],
    [40, 200, 90],
  ];
  const expected: [string, readonly [number, number], readonly number[] | undefined][] = [
    ['the board, ten pixels to the right', [86, 40], board],
    ['its edge, repeated', [2, 40], board],
    ['six pixels up', [40, 16], board],
    ['the background below it', [40, 68], ground],
    ['the background’s edge', [120, 88], ground],
    ['the clip above it', [122, 4], [200, 200, 200]],
    ['beside the clip', [117, 4], ground],
    ['the text', [30, 84], [250, 250, 250]],
  ];
  for (const [what, [x, y], color] of expected) {
    const seen = pixel(rgba, SIZE.width, x, y);
    assert.ok(
      color!.every((channel, index) => Math.abs(channel - seen[index]!) <= 6),
      `${what}: ${seen} instead of ${color}`,
    );
  }
});
