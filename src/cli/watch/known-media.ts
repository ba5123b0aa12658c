import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { FactsOrError } from '../../plan/resolve-facts.ts';
import { markOf } from './file-watch.ts';

/** Hashes and facts of media files from earlier runs, so that an unchanged file is not hashed or probed again. */
export class KnownMedia {
  /** By hash. */
  readonly lookedInto = new Map<string, FactsOrError>();
  readonly #hashes = new Map<string, { readonly mark: string; readonly hash: string }>();

  /** The SHA-256 of a file. */
  async hashOf(path: string): Promise<string> {
    const mark = await markOf(path);
    const known = this.#hashes.get(path);
    if (known?.mark === mark && mark !== 'none') return known.hash;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const found = hash.digest('hex');
    this.#hashes.set(path, { mark, hash: found });
    return found;
  }
}
