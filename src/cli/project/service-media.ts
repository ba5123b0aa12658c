import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readConfig } from '../../config/config.ts';
import { hashFile } from '../../platform/sha256.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import type { MediaPlace } from '../../timeline/project/project-media.ts';
import type { StatusLine } from '../command-line/terminal.ts';

/** A medium that a project names by its hash. */
type StoredPlace = Extract<MediaPlace, { kind: 'stored' }>;

/** Gets media that a project names by their hashes from the service that stores them, into a folder that is removed on dispose. (C82) */
export class StoredMedia implements AsyncDisposable {
  readonly #status: StatusLine;
  readonly #paths = new Map<string, string>();
  #folder: string | null = null;

  constructor(status: StatusLine) {
    this.#status = status;
  }

  /** Paths by field. @throws ExportError with all errors, at the places of the media. */
  async fetch(places: ReadonlyMap<string, StoredPlace>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const faults = new IssueList();
    const bySha256 = Map.groupBy(places.values(), ({ sha256 }) => sha256);
    try {
      for (const [sha256, same] of bySha256) {
        if (this.#paths.has(sha256)) continue;
        this.#status.show(`reading media of the service: ${this.#paths.size} of ${bySha256.size}`);
        const fault = await this.#read(sha256, signal);
        if (fault !== null) for (const { path } of same) faults.error(path, 'project.unreadable', fault, 'missing');
      }
    } finally {
      this.#status.end();
    }
    faults.throwIfFailed();
    return new Map([...places].map(([field, { sha256 }]) => [field, this.#paths.get(sha256)!]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  /** What is wrong; null: it is there now. */
  async #read(sha256: string, signal: AbortSignal): Promise<string | null> {
    const { serviceUrl, serviceKey } = readConfig();
    if (serviceUrl === null) return `The file ${sha256} is stored on a service; TIERCUT_URL must name it.`;
    this.#folder ??= await mkdtemp(join(tmpdir(), 'tiercut-stored-'));
    const path = join(this.#folder, sha256);
    try {
      const headers = serviceKey === null ? {} : { authorization: `Bearer ${serviceKey}` };
      const reply = await fetch(new URL(`/media/${sha256}`, serviceUrl), { headers, signal });
      if (!reply.ok || reply.body === null) {
        return `The service at ${serviceUrl} does not return the file ${sha256}: status ${reply.status}.`;
      }
      await pipeline(Readable.fromWeb(reply.body as import('node:stream/web').ReadableStream), createWriteStream(path));
    } catch {
      if (signal.aborted) throw signal.reason;
      return `The file ${sha256} cannot be read from the service at ${serviceUrl}.`;
    }
    if ((await hashFile(path)).sha256 !== sha256) return `The service sent other bytes than those of ${sha256}.`;
    this.#paths.set(sha256, path);
    return null;
  }
}
