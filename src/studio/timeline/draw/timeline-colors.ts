/** The colours of the page for a canvas. Read from the style sheet, which defines dark and light. */
export interface TimelineColors {
  readonly well: string;
  readonly line: string;
  readonly edge: string;
  readonly ink: string;
  readonly quiet: string;
  readonly raise: string;
  readonly accent: string;
  readonly caution: string;
  readonly bad: string;
  readonly ready: string;
  readonly board: string;
  readonly sound: string;
  readonly music: string;
  readonly onTier: string;
}

const NAMES = {
  well: '--well',
  line: '--line',
  edge: '--edge',
  ink: '--ink',
  quiet: '--quiet',
  raise: '--raise',
  accent: '--accent',
  caution: '--caution',
  bad: '--bad',
  ready: '--fine',
  board: '--tl-board',
  sound: '--tl-sound',
  music: '--tl-music',
  onTier: '--on-tier',
} as const;

let probe: HTMLElement | null = null;

/** Read from an element, since the text of a custom property contains `light-dark()` unresolved. */
export function readColors(inside: HTMLElement): TimelineColors {
  if (probe === null || !probe.isConnected) {
    probe = document.createElement('i');
    probe.hidden = true;
    inside.append(probe);
  }
  const colors: Record<string, string> = {};
  for (const [name, property] of Object.entries(NAMES)) {
    probe.style.color = `var(${property})`;
    colors[name] = getComputedStyle(probe).color;
  }
  return colors as unknown as TimelineColors;
}
