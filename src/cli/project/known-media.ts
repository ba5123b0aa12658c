import type { FactsOrError } from '../../plan/resolve-facts.ts';
import { markOf } from '../../platform/file-watch.ts';
import { hashFile } from '../../platform/sha256.ts';

/** Hashes and facts of media files from earlier runs, so that an unchanged file is not hashed or probed again. */
export class KnownMedia {
  /** By hash. */
  readonly facts = new Map<string, FactsOrError>();
  readonly #hashes = new Map<string, { readonly mark: string; readonly hash: string }>();

  /** The SHA-256 of a file. */
  async hashOf(path: string): Promise<string> {
    const mark = await markOf(path);
    const known = this.#hashes.get(path);
    if (known?.mark === mark && mark !== 'none') return known.hash;
    const { sha256: hash } = await hashFile(path);
    this.#hashes.set(path, { mark, hash });
    return hash;
  }
}
