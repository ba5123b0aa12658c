import type { Unit } from '../../timeline/field.ts';
import { choices, units, unset, usual } from '../texts/en/fields.ts';

/** The display text of a choice. */
export function choiceWords(field: string, choice: string): string {
  return choices[`${field}.${choice}`] ?? choices[choice] ?? sentence(choice.replaceAll('_', ' '));
}

function sentence(words: string): string {
  return (words[0]?.toUpperCase() ?? '') + words.slice(1);
}

/** The text for an unset field whose default is not always the same choice. @param now the default at present. */
export function unsetWords(owner: string, field: string, now?: string): string {
  const words = unset[`${owner}.${field}`] ?? usual;
  return now === undefined ? words : `${words} (${choiceWords(field, now)})`;
}

/** The sign of a unit; null if there is none, or if it depends on the value. */
export function unitOf(
  unit: Unit | undefined,
  settings: { readonly volume_unit?: string | undefined; readonly crop_unit?: string | undefined },
): string | null {
  if (unit === undefined) return null;
  if (unit === 'volume') return settings.volume_unit === 'percent' ? units.percent : units.times;
  if (unit !== 'crop') return units[unit];
  return { percent: units.percent, pixel: units.pixels }[settings.crop_unit ?? ''] ?? null;
}
