import { findPreset } from '../../../timeline/presets.ts';
import { studioConfig } from '../../kit/assets.ts';
import { remembered } from '../../session/remembered.ts';
import { decided } from '../../session/session.ts';

const NONE: readonly string[] = [];

/** The presets of a batch; empty means the selected one. Stored in this browser. */
const chosen = remembered<readonly string[]>('tiercut-table-formats', NONE, (kept) =>
  Array.isArray(kept) && kept.every((name) => typeof name === 'string') ? kept : null,
);

/** The presets to make, in the order of the service. */
export function formatsToMake(): readonly string[] {
  const names = studioConfig.presets.map(({ name }) => name);
  const wanted = names.filter((name) => chosen.value.includes(name));
  if (wanted.length > 0) return wanted;
  const { preset } = decided.value.settings;
  return [findPreset(studioConfig.presets, preset ?? names[0]!)?.name ?? names[0]!];
}

/** Adds or removes a preset. The last one cannot be removed. */
export function chooseFormat(name: string, isWanted: boolean): void {
  const wanted = new Set(formatsToMake());
  if (isWanted) wanted.add(name);
  else if (wanted.size > 1) wanted.delete(name);
  chosen.value = [...wanted];
}
