import { remembered } from '../session/remembered.ts';

/** The CSS property and unit of each pane's size. */
const PROPERTIES = {
  media: ['--bin-px', 'px'],
  details: ['--insp-px', 'px'],
  board: ['--board-share', '%'],
  timeline: ['--tl-px', 'px'],
} as const;

export type PaneName = keyof typeof PROPERTIES;
type Sizes = { readonly [N in PaneName]?: number };

export const DEFAULT_SIZES: Sizes = {};
/** The sizes set by the user; the style sheet has the others. */
export const paneSizes = remembered<Sizes>('tiercut-panes', DEFAULT_SIZES, readSizes);

function readSizes(kept: unknown): Sizes | null {
  if (typeof kept !== 'object' || kept === null) return null;
  return Object.fromEntries(Object.entries(kept).filter(([name, size]) => name in PROPERTIES && Number.isFinite(size)));
}

/** The style of the container of the panes. */
export function paneStyle(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(paneSizes.value).map(([name, size]) => {
      const [property, unit] = PROPERTIES[name as PaneName];
      return [property, `${size}${unit}`];
    }),
  );
}

type Theme = 'auto' | 'dark' | 'light';

/** The colour scheme of the studio; the theme of the video is part of the project. */
export const theme = remembered<Theme>('tiercut-theme', 'auto', (kept) =>
  kept === 'dark' || kept === 'light' ? kept : null,
);

theme.subscribe((name) => {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
});
