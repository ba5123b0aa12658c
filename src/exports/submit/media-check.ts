import type { FactsOrError } from '../../plan/resolve-facts.ts';
import type { ContentFile, MediaFactsKeeper, ProbeContents } from '../media/media-facts-keeper.ts';
import { factsOrError, type ProbeResult } from '../media/probe-result.ts';

/** What looking into the files of a request has brought. */
interface CheckedMedia {
  /** By field, for the planner. */
  readonly found: ReadonlyMap<string, FactsOrError>;
  /** By content, to be kept. */
  readonly lookedAt: ReadonlyMap<string, ProbeResult>;
}

/** Looks into the files of requests. */
export class MediaCheck {
  readonly #facts: Pick<MediaFactsKeeper, 'lookAt'>;

  constructor({ facts }: { readonly facts: Pick<MediaFactsKeeper, 'lookAt'> }) {
    this.#facts = facts;
  }

  /** What there is to know of a request's files, of the fields that are mentioned; or why there is nothing. */
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
