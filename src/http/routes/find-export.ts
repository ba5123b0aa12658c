import { ExportError } from '../../errors.ts';
import type { ExportView, ShortView } from '../../exports/api/export-view.ts';
import type { ExportsApi } from '../../exports/api/exports-api.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { findPreset, type Presets, presetNames } from '../../timeline/presets.ts';
import { unknownExport } from '../wire/problem.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The export with this id, if the tenant can see it. @throws `export.unknown`, for any reason. (C33) */
export async function findExport(api: ExportsApi, tenant: string | null, id: string): Promise<ExportView> {
  const view = UUID.test(id) ? await api.get(tenant, id) : null;
  if (view === null) throw unknownExport();
  return view;
}

/** Whether a known export belongs to the caller; the address of a download does not prove that. (C27) */
export async function isOwnExport(api: ExportsApi, tenant: string | null, id: string): Promise<boolean> {
  return tenant !== null && (await api.get(tenant, id)) !== null;
}

/** The preset of a known export, by name or alias. @throws `export.unknown_preset` */
export function requirePreset(presets: Presets, name: string): string {
  const preset = findPreset(presets, name);
  if (preset !== undefined) return preset.name;
  const names = presetNames(presets).join(', ');
  const message = `There is no preset ${shownText(name)}; there are ${names}.`;
  throw new ExportError('missing', 'export.unknown_preset', message);
}

/** A short of a known export. @throws `export.unknown_short` */
export function requireShort({ shorts }: ExportView, number: string): ShortView {
  const short = shorts.find((each) => String(each.number) === number);
  if (short !== undefined) return short;
  const there =
    shorts.length === 0
      ? 'It has no shorts; settings.shorts enables them'
      : `Its shorts are numbered 1 to ${shorts.length}`;
  throw new ExportError('missing', 'export.unknown_short', `The export has no short ${shownText(number)}. ${there}.`);
}
