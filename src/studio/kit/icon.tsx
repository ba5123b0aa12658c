import type { ComponentProps } from 'preact';

/** Drawn on a 24-unit grid with a stroke of 1.8. */
const PATHS = {
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  undo: 'M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-2',
  redo: 'M15 7l4.5 4.5L15 16M19 11.5h-9a5 5 0 0 0 0 10h2',
  down: 'M6 9.5l6 6 6-6',
  right: 'M9.5 6l6 6-6 6',
  left: 'M14.5 6l-6 6 6 6',
  up: 'M6 14.5l6-6 6 6',
  warn: 'M12 4L2.8 20h18.4L12 4zM12 10v4.5M12 17.4v.1',
  error: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5v6M12 16.4v.1',
  help: 'M9 9.2a3 3 0 1 1 4.6 2.6c-1 .7-1.6 1.3-1.6 2.4M12 17.4v.1',
  export: 'M12 15V4M7.5 8L12 3.5 16.5 8M5 13v6.5h14V13',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5',
  layout: 'M4 5h16v14H4zM13.5 5v14M4 12h9.5',
  board: 'M4 5h16v14H4zM4 9.7h16M4 14.3h16M9 5v14',
  play: 'M8 5.5v13l11-6.5z',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.2v.1',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9.7h4M4 14.3h4M16 9.7h4M16 14.3h4',
  sound: 'M4 10v4h3.5L12 18V6L7.5 10zM15.5 9.3a4 4 0 0 1 0 5.4M18 6.8a7.5 7.5 0 0 1 0 10.4',
  music: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  text: 'M4 6h16v12H4zM7 14.5h6M15.5 14.5H17',
  reveal: 'M6 3.5h12v17H6zM12 8.2l1.1 2.3 2.5.3-1.8 1.7.4 2.5-2.2-1.2-2.2 1.2.4-2.5-1.8-1.7 2.5-.3z',
  copy: 'M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4',
  more: 'M5.5 12v.1M12 12v.1M18.5 12v.1',
  grip: 'M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.2 10.5v6M13.8 10.5v6',
  target: 'M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5',
  gear: 'M12 8.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM12 3v2.6M12 18.4V21M3 12h2.6M18.4 12H21M5.6 5.6l1.9 1.9M16.5 16.5l1.9 1.9M18.4 5.6l-1.9 1.9M7.5 16.5l-1.9 1.9',
  folder: 'M3.5 6h6l2 2.5h9v10h-17z',
  stop: 'M7 7h10v10H7z',
  pause: 'M7 5h2.5v14H7zM14.5 5H17v14h-2.5z',
  back: 'M6 4.5v15M19.5 4.8 9 12l10.5 7.2z',
  ahead: 'M18 4.5v15M4.5 4.8 15 12l-10.5 7.2z',
  loop: 'M5.25 12.75V10.5a4.5 4.5 0 0 1 4.5-4.5H19.5m-3.3-3.3L19.5 6l-3.3 3.3M18.75 11.25V13.5a4.5 4.5 0 0 1-4.5 4.5H4.5m3.3 3.3L4.5 18l3.3-3.3',
  lock: 'M6 10.5h12v9.75H6zM8.25 10.5V7.5a3.75 3.75 0 0 1 7.5 0v3',
  muted: 'M3.75 9v6h4.05L13.5 19.5V4.5L7.8 9zM17.25 9l5.25 6M22.5 9l-5.25 6',
  full: 'M3.75 9V3.75H9M15 3.75h5.25V9M20.25 15v5.25H15M9 20.25H3.75V15',
  near: 'M3.75 9.3q4.05-3.6 8.25 0t8.25 0M3.75 15.3q4.05-3.6 8.25 0t8.25 0',
  scissors:
    'M8.85 8.4 20.25 18M8.85 15.6 20.25 6M6.3 9.75a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6.3 20.25a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  spread: 'M3.75 4.5v15M20.25 4.5v15M12 4.5v15M5.25 12h5.25M13.5 12h5.25',
  order: 'M10 6h10M10 12h10M10 18h10M6 4v16M3.5 17.5 6 20l2.5-2.5',
  record: 'M12 21A9 9 0 1 0 12 3a9 9 0 0 0 0 18zM12 15.45a3.45 3.45 0 1 0 0-6.9 3.45 3.45 0 0 0 0 6.9z',
  magnet: 'M4.5 3.75h4.5V12a3 3 0 0 0 6 0V3.75h4.5V12A7.5 7.5 0 0 1 4.5 12zM4.5 7.5h4.5M15 7.5h4.5',
  ripple: 'M3.75 4.5v15M20.25 12H7.5M12 7.5 7.5 12l4.5 4.5',
  fit: 'M3.75 8.25v-4.5h4.5M15.75 3.75h4.5v4.5M20.25 15.75v4.5h-4.5M8.25 20.25h-4.5v-4.5M7.5 12h9',
  pen: 'M4 20l1-5L16.5 3.5l4 4L9 19zM13.5 6.5l4 4',
  camera: 'M3.5 7h11.5v10H3.5zM15 10.8l5.5-3v8.4l-5.5-3',
  screen: 'M3.5 5h17v11h-17zM8.5 20h7M12 16v4',
  mic: 'M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3zM5.8 11.5a6.2 6.2 0 0 0 12.4 0M12 17.7v3',
  disk: 'M4 13.5h16v5.5H4zM4 13.5L7 5h10l3 8.5M16.5 16.3v.1',
  retake: 'M4.5 12a7.5 7.5 0 1 0 2.6-5.7M4 4v4.2h4.2',
  wave: 'M3 10.5v3M6 8.25v7.5M9 4.5v15M12 9v6M15 3.75v16.5M18 7.5v9M21 10.5v3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  const filled = name === 'play' || name === 'pause' || name === 'stop';
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill={filled ? 'currentColor' : 'none'}
        stroke="currentColor"
        stroke-width={name === 'more' || name === 'grip' ? 2.6 : 1.8}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** A button that shows only an icon. The label is for screen readers; `title` is the tooltip. */
export function IconButton({
  icon,
  label,
  ...button
}: { readonly icon: IconName; readonly label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" class="ib" aria-label={label} {...button}>
      <Icon name={icon} />
    </button>
  );
}

/** The logo: four rows of decreasing length. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 26 26" aria-hidden="true" focusable="false">
      <rect width="26" height="26" rx="7" fill="#100f14" />
      <rect x="5" y="6" width="16" height="4" rx="1.5" fill="#ff7f85" />
      <rect x="5" y="11.5" width="12" height="4" rx="1.5" fill="#ffb873" />
      <rect x="5" y="17" width="8" height="4" rx="1.5" fill="#fbe27a" />
    </svg>
  );
}
