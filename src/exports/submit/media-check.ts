import type { FactsOrError } from '../../plan/resolve-facts.ts';
import type { ContentFile, MediaFactsKeeper, ProbeContents } from '../media/media-facts-keeper.ts';
import { factsOrError, type ProbeResult } from '../media/probe-result.ts';

/** The result of probing the files of a request. */
interface CheckedMedia {
  /** By field, for the planner. */
  readonly found: ReadonlyMap<string, FactsOrError>;
  /** By content hash, to store. */
  readonly probed: ReadonlyMap<string, ProbeResult>;
}

/** Probes the files of requests. */
export class MediaCheck {
  readonly #facts: Pick<MediaFactsKeeper, 'probe'>;

  constructor({ facts }: { readonly facts: Pick<MediaFactsKeeper, 'probe'> }) {
    this.#facts = facts;
  }

  /** The facts of the mentioned files of a request, or why there are none. */
  async probe(
    tenant: string,
    fields: readonly string[],
    files: ReadonlyMap<string, ContentFile>,
    signal: AbortSignal,
    probe?: ProbeContents,
  ): Promise<CheckedMedia> {
    const mentioned = fields.map((field) => [field, files.get(field)!] as const);
    const probed = await this.#facts.probe(
      tenant,
      mentioned.map(([, file]) => file),
      signal,
      probe,
    );
    const found = mentioned.map(([field, { sha256 }]): [string, FactsOrError] => {
      return [field, factsOrError(sha256, probed.get(sha256)!)];
    });
    return { found: new Map(found), probed };
  }
}
