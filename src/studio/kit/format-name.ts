import { formatNames } from '../texts/en/page.ts';
import { studioConfig } from './assets.ts';

/** The display name of a preset, from its first alias. */
export function formatName(preset: string): string {
  const found = studioConfig.presets.find(({ name }) => name === preset);
  const word = found?.aliases[0] ?? preset;
  return formatNames[word] ?? word[0]!.toUpperCase() + word.slice(1);
}
