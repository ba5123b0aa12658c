import type { LookedInto } from '../../plan/resolve-facts.ts';
import { lookIntoFiles } from '../../sandbox/look-into.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import type { BlobStore } from '../../store/blob-store.ts';
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

  /** What there is to know of a request's files, by the fields that are mentioned; or why there is nothing. */
  lookInto(
    tenant: string,
    fields: readonly string[],
    uploads: ReadonlyMap<string, Pick<SubmittedFile, 'path' | 'sha256'>>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, LookedInto>> {
    const { host, blobs, probing } = this.#ports;
    const files = new Map([...uploads].map(([field, { path, sha256 }]) => [field, { path, hash: sha256 }]));
    return probing.run(tenant, signal, async () => {
      await using folder = await blobs.workFolder();
      // Awaited here: the folder must outlast the looking.
      return await lookIntoFiles(fields, files, host, folder.path, signal);
    });
  }
}
