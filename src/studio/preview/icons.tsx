/** Drawings for buttons, on a field of 16 by 16. They say nothing by themselves: the button has the name. */
const PATHS = {
  play: 'M4.5 2.6v10.8a.6.6 0 0 0 .9.5l8.6-5.4a.6.6 0 0 0 0-1L5.4 2.1a.6.6 0 0 0-.9.5z',
  pause: 'M4 2.5h2.5v11H4zM9.500 2.5H12v11H9.500z',
  back: 'M4 3v10M13 3.200 6 8l7 4.800z',
  ahead: 'M12 3v10M3 3.200 10 8l-7 4.800z',
  loop: 'M3.500 8.500V7a3 3 0 0 1 3-3H13m-2.200-2.200L13 4l-2.200 2.200M12.500 7.500V9a3 3 0 0 1-3 3H3m2.200 2.200L3 12l2.200-2.200',
  sound: 'M2.500 6v4h2.700L9 13V3L5.200 6zM11.500 5.500a3.500 3.500 0 0 1 0 5M13.300 3.700a6 6 0 0 1 0 8.600',
  muted: 'M2.500 6v4h2.700L9 13V3L5.200 6zM11.500 6l3.500 4M15 6l-3.500 4',
  full: 'M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
  check: 'M3 8.500 6.500 12 13 4.500',
  near: 'M2.500 6.200q2.700-2.400 5.500 0t5.500 0M2.500 10.200q2.700-2.400 5.500 0t5.500 0',
  scissors:
    'M5.900 5.600 13.500 12M5.900 10.400 13.500 4M4.200 6.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.200 13.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  trash: 'M3 4.500h10M6.500 4.500v-2h3v2M4.200 4.500l.6 9h6.400l.6-9M6.800 7v4M9.200 7v4',
  reveal: 'M3.500 2.500h9v11h-9zM8 5.300l.9 1.800 2 .3-1.450 1.400.35 2L8 9.850l-1.800.950.350-2L5.100 7.400l2-.3z',
  spread: 'M2.500 3v10M13.500 3v10M8 3v10M3.500 8h3.500M9 8h3.500',
  record: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 10.300a2.300 2.300 0 1 0 0-4.600 2.300 2.300 0 0 0 0 4.600z',
  magnet: 'M3 2.500h3V8a2 2 0 0 0 4 0V2.500h3V8A5 5 0 0 1 3 8zM3 5h3M10 5h3',
  minus: 'M3 8h10',
  plus: 'M8 3v10M3 8h10',
  fit: 'M2.500 5.500v-3h3M10.500 2.500h3v3M13.500 10.500v3h-3M5.500 13.500h-3v-3M5 8h6',
  board: 'M2.500 3h11v10h-11zM2.500 6.300h11M2.500 9.700h11M6 3v10',
  film: 'M2.500 3h11v10h-11zM5 3v10M11 3v10M2.500 6.300H5M2.500 9.700H5M11 6.300h2.500M11 9.700h2.500M5 8h6',
  words: 'M2 3.500h12v9H2zM4.500 9.500h4M10.500 9.500h1M4.500 7h1.500M8 7h3.500',
  wave: 'M2 7v2M4 5.500v5M6 3v10M8 6v4M10 2.500v11M12 5v6M14 7v2',
  music:
    'M6 12.500V3.500l7-1.500v9M6 12.500a1.750 1.750 0 1 1-3.500 0 1.750 1.750 0 0 1 3.500 0zM13 11a1.750 1.750 0 1 1-3.500 0 1.750 1.750 0 0 1 3.500 0z',
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(['play', 'pause']);

export function Icon({ name }: { readonly name: IconName }) {
  const isFilled = FILLED.has(name);
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill={isFilled ? 'currentColor' : 'none'}
        stroke={isFilled ? 'none' : 'currentColor'}
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
