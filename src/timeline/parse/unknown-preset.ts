import { shownText } from '../json/shown-value.ts';
import { type Presets, presetNames } from '../presets.ts';

/** The message for a name that is none of them. @param field what holds the name. */
export function unknownPreset(field: string, name: string, presets: Presets): string {
  const names = presetNames(presets).map((known) => `"${known}"`);
  return `${field} must be one of ${names.join(', ')}, not ${shownText(name)}.`;
}
