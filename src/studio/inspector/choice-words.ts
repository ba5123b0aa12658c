import { choices, units, unset, usual } from '../texts/en/fields.ts';

/** The display text of a choice. */
export function choiceWords(field: string, choice: string): string {
  return choices[`${field}.${choice}`] ?? choices[choice] ?? sentence(choice.replaceAll('_', ' '));
}

export function sentence(words: string): string {
  return (words[0]?.toUpperCase() ?? '') + words.slice(1);
}

/** The text for an unset field whose default is not always the same choice. */
export function unsetWords(owner: string, field: string): string {
  return unset[`${owner}.${field}`] ?? usual;
}

const UNITS: readonly (readonly [unit: string, fields: RegExp])[] = [
  [
    units.seconds,
    /^(start|duration|position|trim_start|trim_end|fade_in|fade_out|offset|enter_duration|music_fade|hold|stamp_at|reveal_hold)$/,
  ],
  [units.degrees, /^angle$/],
  [units.percent, /_percent$|^(background_alpha|panel_opacity|corner)$/],
  [units.pixels, /^(size|border_width|width|height)$/],
  [units.times, /^speed$/],
  [units.framesPerSecond, /^fps$/],
  [units.bitrate, /^audio_bitrate$/],
  [units.loudness, /^loudness$/],
  [units.decibels, /^duck_db$/],
];

/** The unit of a number; null if it has none, or if it depends on the value. */
export function unitOf(
  field: string,
  settings: { readonly volume_unit?: string | undefined; readonly crop_unit?: string | undefined },
): string | null {
  if (/volume$/.test(field)) return settings.volume_unit === 'percent' ? units.percent : units.times;
  if (/^crop_[xywh]$/.test(field)) {
    return { percent: units.percent, pixel: units.pixels }[settings.crop_unit ?? ''] ?? null;
  }
  return UNITS.find(([, fields]) => fields.test(field))?.[0] ?? null;
}
