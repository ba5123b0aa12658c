import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { corruptBlob } from '../store-error.ts';

/** Passes bytes through. @throws `store.corrupt_blob` at the end if they are not the expected ones. */
export class ContentCheck extends Transform {
  readonly #wantedBytes: number;
  readonly #sha256: string | undefined;
  readonly #hash;
  #bytes = 0;

  constructor(bytes: number, sha256?: string) {
    super();
    this.#wantedBytes = bytes;
    this.#sha256 = sha256;
    this.#hash = sha256 === undefined ? null : createHash('sha256');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#hash?.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const found = this.#hash?.digest('hex');
    if (this.#bytes === this.#wantedBytes && found === this.#sha256) done();
    else done(corruptBlob(new Error(`${this.#bytes} of ${this.#wantedBytes} bytes, SHA-256 ${found}`)));
  }
}
