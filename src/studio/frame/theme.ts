import { remembered } from '../session/remembered.ts';

type Theme = 'auto' | 'dark' | 'light';

/** The colour scheme of the studio; the theme of the video is part of the project. */
export const theme = remembered<Theme>('tiercut-theme', 'auto', (kept) =>
  kept === 'dark' || kept === 'light' ? kept : null,
);

theme.subscribe((name) => {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
});
