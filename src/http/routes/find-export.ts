import type { ExportsApi, ExportView } from '../../exports/exports-api.ts';
import { unknownExport } from '../wire/problem.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The export of that id, visible to that tenant. @throws `export.unknown`, whatever the reason. (C33) */
export async function findExport(api: ExportsApi, tenant: string | null, id: string): Promise<ExportView> {
  const view = UUID.test(id) ? await api.get(tenant, id) : null;
  if (view === null) throw unknownExport();
  return view;
}

/** Whether an export that is known belongs to whoever asks: the address of a download alone does not say so. (C27) */
export async function isOwnExport(api: ExportsApi, tenant: string | null, id: string): Promise<boolean> {
  return tenant !== null && (await api.get(tenant, id)) !== null;
}
