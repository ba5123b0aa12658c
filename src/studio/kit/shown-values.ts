import * as texts from '../texts/en/page.ts';
import { formatNames } from '../texts/en/page.ts';
import { studioConfig } from './assets.ts';

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

/** The display name of a preset, from its first alias. */
export function formatName(preset: string): string {
  const found = studioConfig.presets.find(({ name }) => name === preset);
  const word = found?.aliases[0] ?? preset;
  return formatNames[word] ?? word[0]!.toUpperCase() + word.slice(1);
}

export function when(ms: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}
