import { choices, units, unset, usual } from '../texts/en/fields.ts';

/** A value that can be chosen, as people say it. */
export function choiceWords(field: string, choice: string): string {
  return choices[`${field}.${choice}`] ?? choices[choice] ?? sentence(choice.replaceAll('_', ' '));
}

export function sentence(words: string): string {
  return (words[0]?.toUpperCase() ?? '') + words.slice(1);
}

/** What is chosen where nothing is: where that is not always one and the same of the choices. */
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

/** What a number counts; null where it counts nothing, or what the settings say. */
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
