import { setTimeout } from 'node:timers/promises';
import type { ExportMetadata } from '../../src/http/wire/export-metadata.ts';
import { createAsync, type ExportRequest, type Listening, statusOf } from '../../test/service/export-client.ts';

/**
 * Creates an export, and waits until it is completed.
 * @throws if the export fails.
 */
export async function madeOf(service: Listening, request: ExportRequest): Promise<ExportMetadata> {
  const { export_id, download_url } = await createAsync(service, request);
  for (;;) {
    // Answered when it is there, or after a while.
    await fetch(`${service.base}${download_url}`, { method: 'HEAD' });
    const metadata = await statusOf(service, export_id);
    if (metadata.state === 'completed') return metadata;
    // The selected preset may be there before the others.
    if (metadata.state === 'rendering') await setTimeout(100);
    if (metadata.state !== 'queued' && metadata.state !== 'rendering') throw new Error(JSON.stringify(metadata));
  }
}
