import { remembered } from '../session/remembered.ts';

/** What each pane's size is in the style sheet, and its unit. */
const PROPERTIES = {
  media: ['--bin-px', 'px'],
  details: ['--insp-px', 'px'],
  board: ['--board-share', '%'],
  timeline: ['--tl-px', 'px'],
} as const;

export type PaneName = keyof typeof PROPERTIES;
type Sizes = { readonly [N in PaneName]?: number };

export const USUAL_SIZES: Sizes = {};
/** Those that somebody has set; the others are as the style sheet has them. */
export const paneSizes = remembered<Sizes>('tiercut-panes', USUAL_SIZES, readSizes);

function readSizes(kept: unknown): Sizes | null {
  if (typeof kept !== 'object' || kept === null) return null;
  return Object.fromEntries(Object.entries(kept).filter(([name, size]) => name in PROPERTIES && Number.isFinite(size)));
}

/** For the style of what the panes stand in. */
export function paneStyle(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(paneSizes.value).map(([name, size]) => {
      const [property, unit] = PROPERTIES[name as PaneName];
      return [property, `${size}${unit}`];
    }),
  );
}
