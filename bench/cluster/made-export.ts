import type { ExportMetadata } from '../../src/http/replies/export-replies.ts';
import { createAsync, type ExportRequest, type Listening, statusOf } from '../../test/service/export-client.ts';

/**
 * Renders only the selected preset of an export, and waits for it.
 * @throws if the export fails.
 */
export async function madeOf(service: Listening, request: ExportRequest): Promise<ExportMetadata> {
  const { export_id, download_url } = await createAsync(service, request);
  for (;;) {
    // Answered when it is there, or after a while.
    await fetch(`${service.base}${download_url}`, { method: 'HEAD' });
    const metadata = await statusOf(service, export_id);
    if (metadata.state === 'completed') return metadata;
    if (metadata.state !== 'queued' && metadata.state !== 'rendering') throw new Error(JSON.stringify(metadata));
  }
}
