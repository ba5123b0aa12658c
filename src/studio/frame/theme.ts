import { signal } from '@preact/signals';

type Theme = 'auto' | 'dark' | 'light';

const KEY = 'tiercut-theme';

/** How the studio looks; the video's look is the project's. */
export const theme = signal<Theme>(readTheme());
apply(theme.value);

export function setTheme(next: Theme): void {
  theme.value = next;
  apply(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Where nothing is kept, it lasts as long as the page.
  }
}

function apply(name: Theme): void {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'dark' || kept === 'light' ? kept : 'auto';
  } catch {
    return 'auto';
  }
}
