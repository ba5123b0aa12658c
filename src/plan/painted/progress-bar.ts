import { formatRect } from '../format-values.ts';
import { type PaintedSpec, STILL } from './painted-kind.ts';

/** The line that shows the progress of the video. (C52) */
export const PROGRESS_BAR: PaintedSpec<'progress'> = {
  isVeiled: false,
  isGlass: false,
  isEntry: false,
  dividesChunks: false,
  edges: () => [],
  stateAt: () => ({ ...STILL, changes: true }),
  // Its place follows from the canvas.
  key: (_bar, _state, range, { plan }) => ['progress', plan.totalFrames, range.start],
  written: () => null,
  format: (bars) => bars.map(({ rect }) => `progress bar at ${formatRect(rect)}`),
  formatRef: () => 'bar',
};
