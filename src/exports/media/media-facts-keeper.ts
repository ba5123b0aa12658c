import { ExportError } from '../../errors.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Probed, RenderHost } from '../../sandbox/render-host.ts';
import type { Database } from '../../store/database.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { KeptFacts, MediaRecord, MediaRecords } from '../../store/media-records.ts';
import type { Gate } from '../gate.ts';
import type { Meter } from '../meter.ts';
import { isForGood, type ProbeResult, probeResult } from './probe-result.ts';

interface MediaFactsKeeperPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'find' | 'setFacts'>;
  readonly host: Pick<RenderHost, 'probe' | 'mediaLimits'>;
  readonly local: Pick<LocalFiles, 'scratch'>;
  /** How many requests are looked into at once, by tenant: each takes a child process. */
  readonly probing: Gate;
  readonly rules: { readonly engineVersion: string };
  readonly meter: Pick<Meter, 'filesLookedAt'>;
}

/** More requests than this rarely come together. */
const MOST_REMEMBERED = 100;

/** A file of some content. */
export interface ContentFile {
  readonly sha256: string;
  readonly path: string;
}

/** Files by the hash of their content. */
type Contents = ReadonlyMap<string, string>;

/** Looks into files in a child. */
export type ProbeContents = (files: Contents) => Promise<ReadonlyMap<string, Probed>>;

/**
 * Looks into files, once for each content of a tenant. What was found is not shared between tenants: how long looking
 * takes would tell one what the other has.
 */
export class MediaFactsKeeper {
  readonly #ports: MediaFactsKeeperPorts;
  /** Other limits, other answers. */
  readonly #by: string;
  /** What was found last, by tenant and content: of requests that come together the first ones look into their media. */
  readonly #found = new Map<string, Probed>();

  constructor(ports: MediaFactsKeeperPorts) {
    this.#ports = ports;
    this.#by = `${ports.rules.engineVersion} ${sha256(JSON.stringify(ports.host.mediaLimits)).slice(0, 16)}`;
  }

  /** What is known of content, by its hash; what is not is found out in a jailed child, one for all of them, or by `probe`. */
  async lookAt(
    tenant: string,
    files: Iterable<ContentFile>,
    signal: AbortSignal,
    probe: ProbeContents = (unknown) => this.#probe(tenant, unknown, signal),
  ): Promise<ReadonlyMap<string, ProbeResult>> {
    const { database, media, meter } = this.#ports;
    const all = new Map<string, ProbeResult>();
    const unknown = new Map<string, string>();
    for (const { sha256: hash, path } of files) {
      const known = this.known(await media.find(tenant, hash, database));
      if (known === null) unknown.set(hash, path);
      else all.set(hash, known);
    }
    meter.filesLookedAt(all.size, unknown.size);
    for (const [hash, probed] of unknown.size === 0 ? [] : await probe(unknown)) {
      const found = probeResult(probed);
      all.set(hash, found);
      const facts = this.worthKeeping(found);
      if (facts !== null) await media.setFacts(tenant, hash, facts, database);
    }
    return all;
  }

  /** What an earlier look has brought; null where nobody looked, or not with these eyes. */
  known(record: Pick<MediaRecord, 'facts'> | null): ProbeResult | null {
    return record?.facts?.by === this.#by ? JSON.parse(record.facts.json) : null;
  }

  /** How it is recorded; null where it may have been chance. */
  worthKeeping(found: ProbeResult): KeptFacts | null {
    return isForGood(found) ? { json: JSON.stringify(found), by: this.#by } : null;
  }

  /** A fault may have been chance. */
  #remember(content: string, found: Probed): void {
    if (found instanceof ExportError) return;
    this.#found.set(content, found);
    if (this.#found.size > MOST_REMEMBERED) this.#found.delete(this.#found.keys().next().value!);
  }

  #probe(tenant: string, files: Contents, signal: AbortSignal): ReturnType<ProbeContents> {
    const { host, local, probing } = this.#ports;
    return probing.run(tenant, signal, async () => {
      // Looked for only now: others may have found it while this one waited for its turn.
      const unknown = [...files].filter(([hash]) => !this.#found.has(`${tenant} ${hash}`));
      const known = [...files.keys()].flatMap((hash) => {
        const found = this.#found.get(`${tenant} ${hash}`);
        return found === undefined ? [] : [[hash, found] as const];
      });
      if (unknown.length === 0) return new Map(known);
      await using folder = await local.scratch();
      const probed = await host.probe({ inputs: unknown.map(([, path]) => path), workDir: folder.path, signal });
      const fresh = unknown.map(([hash], n) => [hash, probed[n]!] as const);
      for (const [hash, found] of fresh) this.#remember(`${tenant} ${hash}`, found);
      return new Map([...known, ...fresh]);
    });
  }
}
