import type { Export } from '../../../packages/client/src/client.ts';
import { studioConfig } from '../kit/assets.ts';
import { remembered } from '../session/remembered.ts';
import * as texts from '../texts/en/export.ts';

const ALL: readonly string[] = [];

/** The presets to export; empty means all. Stored in this browser. */
const chosen = remembered<readonly string[]>('tiercut-formats', ALL, (kept) =>
  Array.isArray(kept) && kept.every((name) => typeof name === 'string') ? kept : null,
);

/** The chosen presets that this service has. */
export function formatsToMake(): readonly string[] {
  const names = studioConfig.presets.map(({ name }) => name);
  const wanted = names.filter((name) => chosen.value.includes(name));
  return wanted.length === 0 ? names : wanted;
}

/** Adds or removes a preset. The last one cannot be removed. */
export function chooseFormat(name: string, isWanted: boolean): void {
  const names = studioConfig.presets.map((preset) => preset.name);
  const wanted = new Set(formatsToMake());
  if (isWanted) wanted.add(name);
  else if (wanted.size > 1) wanted.delete(name);
  chosen.value = wanted.size === names.length ? ALL : names.filter((each) => wanted.has(each));
}

/** The export with the requested presets only. */
export function onlyFormats(view: Export, formats: readonly string[] | null): Export {
  if (formats === null) return view;
  const outputs = Object.entries(view.outputs).filter(([name]) => formats.includes(name));
  return outputs.length === 0 ? view : { ...view, outputs: Object.fromEntries(outputs) };
}

/** "Two formats, one MP4 each." */
export function formatsWords(): string {
  return texts.formatsToMake(formatsToMake().length);
}

/** The label of the button: "Export all three formats", "Export two formats". */
export function exportWords(isChanged: boolean): string {
  const { length } = formatsToMake();
  return texts.exportFormats(length, length === studioConfig.presets.length, isChanged);
}
