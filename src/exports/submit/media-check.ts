import type { MediaFactsByField } from '../../plan/media-facts.ts';
import { lookInto } from '../../sandbox/look-into.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { ExportRequest } from '../../timeline/export-request.ts';
import type { SubmittedFile } from '../exports-api.ts';
import type { Gate } from '../gate.ts';

interface MediaCheckPorts {
  readonly host: RenderHost;
  readonly blobs: Pick<BlobStore, 'workFolder'>;
  /** How many requests are looked into at once, by tenant: each takes a child process. */
  readonly probing: Gate;
}

/** Looks into the files of requests. */
export class MediaCheck {
  readonly #ports: MediaCheckPorts;

  constructor(ports: MediaCheckPorts) {
    this.#ports = ports;
  }

  /** What the plan has to know of a request's files. @throws ExportError with everything that is wrong with them. */
  facts(
    tenant: string,
    request: ExportRequest,
    uploads: ReadonlyMap<string, Pick<SubmittedFile, 'path' | 'sha256'>>,
    signal: AbortSignal,
  ): Promise<MediaFactsByField> {
    const { host, blobs, probing } = this.#ports;
    const files = new Map([...uploads].map(([field, { path, sha256 }]) => [field, { path, hash: sha256 }]));
    return probing.run(tenant, signal, async () => {
      await using folder = await blobs.workFolder();
      // Awaited here: the folder must outlast the looking.
      return await lookInto(request, files, host, folder.path, signal);
    });
  }
}
