import { ExportError } from '../../errors.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Probed, RenderHost } from '../../sandbox/render-host.ts';
import type { Database } from '../../store/database.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import type { KeptFacts, MediaRecord, MediaRecords } from '../../store/records/media-records.ts';
import type { MediaDescription } from '../api/media-api.ts';
import type { Meter } from '../api/meter.ts';
import type { Gate } from '../gate.ts';
import { isPermanent, type ProbeResult, probeResult } from './probe-result.ts';

interface MediaFactsKeeperPorts {
  readonly database: Database;
  readonly media: Pick<MediaRecords, 'find' | 'setFacts'>;
  readonly host: Pick<RenderHost, 'probe' | 'mediaLimits'>;
  readonly local: Pick<LocalFiles, 'scratch'>;
  /** Limits concurrent probes, by tenant: each needs a child process. */
  readonly probing: Gate;
  readonly rules: { readonly engineVersion: string };
  readonly meter: Pick<Meter, 'filesLookedAt'>;
}

/** More requests than this rarely arrive together. */
const MAX_REMEMBERED = 100;

/** A file and the hash of its content. */
export interface ContentFile {
  readonly sha256: string;
  readonly path: string;
}

/** Files by the hash of their content. */
type Contents = ReadonlyMap<string, string>;

/** Probes files in a child. */
export type ProbeContents = (files: Contents) => Promise<ReadonlyMap<string, Probed>>;

/**
 * Probes files, once for each content of a tenant. Facts are not shared between tenants: the response time would show
 * what another tenant has.
 */
export class MediaFactsKeeper {
  readonly #ports: MediaFactsKeeperPorts;
  /** Facts depend on the engine version and the limits. */
  readonly #by: string;
  /** The latest facts, by tenant and content: requests that arrive together probe the same media once. */
  readonly #found = new Map<string, Probed>();

  constructor(ports: MediaFactsKeeperPorts) {
    this.#ports = ports;
    this.#by = `${ports.rules.engineVersion} ${sha256(JSON.stringify(ports.host.mediaLimits)).slice(0, 16)}`;
  }

  /**
   * The facts of content, by hash. Probes unknown content with `probe`; by default in one jailed child for all files.
   */
  async probe(
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
      const facts = this.factsToKeep(found);
      if (facts !== null) await media.setFacts(tenant, hash, facts, database);
    }
    return all;
  }

  /** The facts of an earlier probe; null if there was none, or if the engine version or the limits have changed. */
  known(record: Pick<MediaRecord, 'facts'> | null): ProbeResult | null {
    return record?.facts?.by === this.#by ? JSON.parse(record.facts.json) : null;
  }

  /** What the last probe found, of an older engine version as well: an upgrade does not change what a file is. */
  latestKind({ facts }: Pick<MediaRecord, 'facts'>): MediaDescription['kind'] | null {
    return facts === null ? null : ((JSON.parse(facts.json) as ProbeResult).description?.kind ?? null);
  }

  /** The facts to record; null if another probe could give another result. */
  factsToKeep(found: ProbeResult): KeptFacts | null {
    return isPermanent(found) ? { json: JSON.stringify(found), by: this.#by } : null;
  }

  /** Errors are not kept, because they may be temporary. */
  #remember(content: string, found: Probed): void {
    if (found instanceof ExportError) return;
    this.#found.set(content, found);
    if (this.#found.size > MAX_REMEMBERED) this.#found.delete(this.#found.keys().next().value!);
  }

  #probe(tenant: string, files: Contents, signal: AbortSignal): ReturnType<ProbeContents> {
    const { host, local, probing } = this.#ports;
    return probing.run(tenant, signal, async () => {
      // Checked only now: another request may have probed it while this one waited.
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
