import type { FactsOrError } from '../../plan/resolve-facts.ts';
import type { ContentFile, MediaFactsKeeper, ProbeContents } from '../media/media-facts-keeper.ts';
import { factsOrError, type ProbeResult } from '../media/probe-result.ts';

/** The result of probing the files of a request. */
interface CheckedMedia {
  /** By field, for the planner. */
  readonly found: ReadonlyMap<string, FactsOrError>;
  /** By content hash, to store. */
  readonly lookedAt: ReadonlyMap<string, ProbeResult>;
}

/** Probes the files of requests. */
export class MediaCheck {
  readonly #facts: Pick<MediaFactsKeeper, 'lookAt'>;

  constructor({ facts }: { readonly facts: Pick<MediaFactsKeeper, 'lookAt'> }) {
    this.#facts = facts;
  }

  /** The facts of the mentioned files of a request, or why there are none. */
  async lookInto(
    tenant: string,
    fields: readonly string[],
    files: ReadonlyMap<string, ContentFile>,
    signal: AbortSignal,
    probe?: ProbeContents,
  ): Promise<CheckedMedia> {
    const mentioned = fields.map((field) => [field, files.get(field)!] as const);
    const lookedAt = await this.#facts.lookAt(
      tenant,
      mentioned.map(([, file]) => file),
      signal,
      probe,
    );
    const found = mentioned.map(([field, { sha256 }]): [string, FactsOrError] => {
      return [field, factsOrError(sha256, lookedAt.get(sha256)!)];
    });
    return { found: new Map(found), lookedAt };
  }
}
