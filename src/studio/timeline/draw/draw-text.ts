import { firstIndex } from '../../../collections/first-index.ts';

export const FONT = '550 11px system-ui, "Segoe UI", "Noto Sans", sans-serif';

/** Shortens a text to fit. */
export function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  const isTooLong = (length: number) => context.measureText(`${text.slice(0, length)}…`).width > room;
  const length = firstIndex(text.length, (index) => isTooLong(index + 1));
  return length === 0 ? '' : `${text.slice(0, length).trimEnd()}…`;
}
