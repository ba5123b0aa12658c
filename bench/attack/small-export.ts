import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { formOf, metadataOf, post } from '../../test/service/export-client.ts';
import type { Target } from './attack.ts';

/** The smallest export there is, finished; parts of it replaced or added. */
export async function smallExport(
  target: Target,
  other: Readonly<Record<string, object | string>> = {},
): Promise<ExportMetadata> {
  return metadataOf(await post(target, smallForm(other), target.ann), 201);
}

/** Its form. */
export function smallForm(other: Readonly<Record<string, object | string>> = {}): FormData {
  const timeline_data = { subtitles: [{ text: 'x', start: 0, duration: 0.1 }] };
  return formOf({ documents: { tier_list: {}, timeline_data, ...other } });
}
