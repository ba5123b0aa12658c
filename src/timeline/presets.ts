import { shownText } from './json/shown-value.ts';

/** One of the three output presets: its name on the wire and its aliases. (C11) */
export interface Preset {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly aliases: readonly string[];
}

/** Exactly three; the first is the default. */
export type Presets = readonly [Preset, Preset, Preset];

export const DEFAULT_PRESETS: Presets = [
  { name: 'preset_one', width: 1920, height: 1080, aliases: ['landscape'] },
  { name: 'preset_two', width: 1080, height: 1920, aliases: ['portrait'] },
  { name: 'preset_three', width: 1080, height: 1080, aliases: ['square'] },
];

/** The name of a preset for people, and in file names: its first alias, else its name. (C11, C73) */
export function shownName({ name, aliases }: Preset): string {
  return aliases[0] ?? name;
}

/** The preset of that name or alias. */
export function findPreset(presets: Presets, name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name || preset.aliases.includes(name));
}

/** The end of a file name: the shown name of a preset. (C73) */
export function fileEnding(presets: Presets, name: string): string {
  const preset = findPreset(presets, name);
  return preset === undefined ? name : shownName(preset);
}

/** The names and aliases of all presets, each beside its own. */
export function presetNames(presets: Presets): readonly string[] {
  return presets.flatMap(({ name, aliases }) => [name, ...aliases]);
}

/** The message for a name that is none of them. @param field what holds the name. */
export function unknownPreset(field: string, name: string, presets: Presets): string {
  const names = presetNames(presets).map((known) => `"${known}"`);
  return `${field} must be one of ${names.join(', ')}, not ${shownText(name)}.`;
}
