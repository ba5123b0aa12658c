import * as texts from '../texts/en/document.ts';

/** A row that is not on the board yet. */
interface NewRow {
  readonly label: string;
  readonly color: string;
}

/** From the best row to the worst. */
const RAMP = ['#ff7f85', '#ffb873', '#fbe27a', '#8ee59c', '#7fc4ff', '#f59ad1'] as const;
const PLAIN_COLOR = '#c9c5d3';

const COLORS: Readonly<Record<string, string>> = {
  ...{ S: '#ff7f85', A: '#ffb873', B: '#fbe27a', C: '#8ee59c', D: '#7fc4ff', E: '#b7a3ff', F: '#f59ad1' },
};

/** The letters of rows in the order in which "+ Row" adds them. Few boards have an E, so it is last. */
const LETTERS = [...'SABCDFGHIJKLMNOPQRTUVWXYZE'];

/** The rows of a new project. */
export const DEFAULT_ROWS: readonly NewRow[] = lettered('SABCDF');

/** Sets of rows, by their menu label. */
export const ROW_PRESETS: Readonly<Record<string, readonly NewRow[]>> = {
  [texts.sToF]: DEFAULT_ROWS,
  [texts.sToD]: lettered('SABCD'),
  [texts.aToF]: lettered('ABCDEF'),
  [texts.tenToOne]: ramped(Array.from({ length: 10 }, (_, i) => String(10 - i))),
  [texts.stars]: ramped(['5 ★', '4 ★', '3 ★', '2 ★', '1 ★']),
  [texts.greatToBad]: ramped([texts.great, texts.good, texts.okay, texts.bad]),
  [texts.goodAndBad]: [
    { label: texts.good, color: '#8ee59c' },
    { label: texts.bad, color: '#ff7f85' },
  ],
};

/** The row after these labels: the next letter or number that none of them has. */
export function nextRow(labels: readonly string[]): NewRow {
  const numbers = labels.map((label) => (/^\d{1,6}$/.test(label) ? Number(label) : null));
  if (labels.length > 0 && numbers.every((number) => number !== null)) {
    const last = numbers.at(-1)!;
    const isFalling = numbers.length > 1 && last < numbers.at(-2)!;
    const next = isFalling && last > 0 ? last - 1 : Math.max(...numbers) + 1;
    return { label: String(numbers.includes(next) ? Math.max(...numbers) + 1 : next), color: PLAIN_COLOR };
  }
  const taken = new Set(labels.map((label) => label.toUpperCase()));
  const from = labels.findLast((label) => LETTERS.includes(label.toUpperCase()))?.toUpperCase() ?? '';
  const at = LETTERS.indexOf(from) + 1;
  const label = [...LETTERS.slice(at), ...LETTERS.slice(0, at)].find((letter) => !taken.has(letter)) ?? texts.newRow;
  return { label, color: COLORS[label] ?? PLAIN_COLOR };
}

function lettered(letters: string): readonly NewRow[] {
  return [...letters].map((label) => ({ label, color: COLORS[label]! }));
}

function ramped(labels: readonly string[]): readonly NewRow[] {
  const color = (place: number) => RAMP[Math.round((place * (RAMP.length - 1)) / Math.max(1, labels.length - 1))]!;
  return labels.map((label, place) => ({ label, color: color(place) }));
}
