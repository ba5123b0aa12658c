import { remembered } from '../session/remembered.ts';

type Theme = 'auto' | 'dark' | 'light';

/** How the studio looks; the video's look is the project's. */
export const theme = remembered<Theme>('tiercut-theme', 'auto', (kept) =>
  kept === 'dark' || kept === 'light' ? kept : null,
);

theme.subscribe((name) => {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
});
