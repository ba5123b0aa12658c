import { THEMES } from '../../src/timeline/choices.ts';
import type { Look } from './looks.ts';

/** A reveal to look at frame by frame: what happens, and when to look, in seconds. */
interface RevealLook {
  readonly look: Pick<Look, 'rows' | 'pool' | 'tiles'>;
  readonly moments: readonly number[];
}

const FPS = 30;
/** Large enough for the smallest text to have the share of the picture that it has at full size. */
const SCALE = 2 / 3;
const ROWS = [4, 5, 4, 3];
/** Cards that wait below the rows. */
const POOLED = { rows: [3, 4, 3, 2], pool: 4 };
const IN_POOL = 12;

/** Every so many frames from one moment to another. */
function every(step: number, from: number, to: number): number[] {
  return Array.from({ length: Math.floor(((to - from) * FPS) / step) + 1 }, (_, n) => from + (n * step) / FPS);
}

/** A spotlight that starts at 1 s: entrance, hold, stamp, verdict, flight, landing. */
const COURSE = [1.03, 1.1, 1.2, 2, 2.27, 2.3, 2.34, 2.6, 3.1, 3.2, 3.34, 3.5, 3.7];
const SLAM = [...every(1, 1.03, 1.4), 1.6];

/** By name. Tiles start at 1 s. */
export const REVEAL_LOOKS: Readonly<Record<string, RevealLook>> = {
  none: { look: { rows: ROWS, tiles: [{ item: 1, position: 1, reveal: 'none' }] }, moments: [0.97, 1] },
  pop: {
    look: { rows: ROWS, tiles: [{ item: 1, position: 1, reveal: 'pop' }] },
    moments: [...every(1, 1, 1.34), 1.44, 1.6],
  },
  spotlight: { look: { rows: ROWS, tiles: [{ item: 0, position: 1, reveal: 'spotlight' }] }, moments: COURSE },
  slam: { look: { rows: ROWS, tiles: [{ item: 1, position: 1, reveal: 'slam' }] }, moments: SLAM },
  move: {
    look: { rows: ROWS, tiles: [{ item: 9, position: 1, to_row: 'r0', index: 1 }] },
    moments: [...every(3, 1, 2), 2.2, 2.4],
  },
  'move-spotlight': {
    look: { ...POOLED, tiles: [{ item: IN_POOL, position: 1, to_row: 'r0', reveal: 'spotlight' }] },
    moments: COURSE,
  },
  'move-slam': {
    look: { ...POOLED, tiles: [{ item: IN_POOL, position: 1, to_row: 'r1', reveal: 'slam' }] },
    moments: SLAM,
  },
  'spotlight-three': {
    look: { rows: ROWS, tiles: [0, 5, 9].map((item) => ({ item, position: 1, reveal: 'spotlight' })) },
    moments: COURSE,
  },
  // Each takes off as the next one starts, two of them out of the pool.
  'spotlights-close': {
    look: {
      ...POOLED,
      tiles: [
        { item: 0, position: 0, reveal: 'spotlight' },
        { item: IN_POOL, position: 1, to_row: 'r1', reveal: 'spotlight' },
        { item: IN_POOL + 1, position: 2, to_row: 'r2', reveal: 'spotlight' },
      ],
    },
    moments: [0.7, 0.97, ...every(1, 1.03, 1.24), 1.4, 1.7, 2.03, 2.17],
  },
  'slam-after-spotlight': {
    look: {
      rows: ROWS,
      tiles: [
        { item: 0, position: 0, reveal: 'spotlight' },
        { item: 5, position: 1, reveal: 'slam' },
      ],
    },
    moments: [0.97, ...every(1, 1.03, 1.34), 1.6],
  },
};

/** A reveal in every theme, a theme a line. */
export function themedLooks({ look }: RevealLook, preset: Look['preset'] & string): Look[] {
  return THEMES.map(
    (theme): Look => ({ ...look, preset, settings: { theme, counter: true }, behind: 'black', scale: SCALE }),
  );
}
