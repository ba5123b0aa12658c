import * as texts from '../texts/en/page.ts';

/** `1:05`, of seconds. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

export function megabytes(bytes: number): string {
  return bytes < 1e6
    ? texts.kilobytes(`${Math.ceil(bytes / 1e3)}`)
    : texts.megabytes((bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0));
}
