import type { BoardWindow } from '../layers/painted-layers.ts';
import type { Rect } from '../rect.ts';
import { canvasRect, coveredShare } from './canvas-rect.ts';
import type { PlacedVideo } from './place-clips.ts';
import type { PlanContext } from './plan-context.ts';

/** The share by which a clip and a board may overlap without a warning. (C54) */
const MAX_COVERED = 0.3;

/** Warns of clips that hide a board, and of clips with a box that a board hides. Clips that fill the canvas never warn. (C54) */
export function warnOfCovered(
  videos: readonly PlacedVideo[],
  windows: readonly BoardWindow[],
  { places, canvas, issues }: PlanContext,
): void {
  const whole: Rect = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  for (const { entry, shows, geometry } of videos) {
    const { box } = places.video(entry);
    if (geometry === null || box === null || coveredShare(whole, canvasRect(box, canvas)) === 1) continue;
    const rect = geometry.look?.rect ?? geometry.dest;
    const met = windows.filter((window) => window.shows.start < shows.end && shows.start < window.shows.end);
    if (geometry.isAboveBoard) {
      const max = Math.max(0, ...met.map((window) => coveredShare(window.rect, rect)));
      if (max <= MAX_COVERED) continue;
      const message = `The clip covers ${percent(max)} of the board. Give one of them another place, or set "layer": "below_board".`;
      issues.warn(entry.path, 'clip.covers_board', message);
    } else {
      const max = Math.max(0, ...met.map((window) => coveredShare(rect, window.rect)));
      if (max <= MAX_COVERED) continue;
      const message = `The board covers ${percent(max)} of the clip. Give one of them another place, or set "layer": "above_board".`;
      issues.warn(entry.path, 'clip.behind_board', message);
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
