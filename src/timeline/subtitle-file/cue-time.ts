import type { Seconds } from '../../time.ts';

/**
 * A time in the syntax of subtitle files: `00:01:02.345`.
 * @param mark the separator of the thousandths: a point in WebVTT, a comma in SRT.
 */
export function cueTime(seconds: Seconds, mark: '.' | ','): string {
  const thousandths = Math.round(seconds * 1000);
  const [hours, minutes, rest] = [
    Math.floor(thousandths / 3_600_000),
    Math.floor(thousandths / 60_000) % 60,
    Math.floor(thousandths / 1000) % 60,
  ].map((part) => String(part).padStart(2, '0'));
  return `${hours}:${minutes}:${rest}${mark}${String(thousandths % 1000).padStart(3, '0')}`;
}
