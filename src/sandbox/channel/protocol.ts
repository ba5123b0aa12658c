import type { ErrorKind, Issue } from '../../errors.ts';
import type { JailTerms } from '../jail/jail.ts';
import type { JailReport, SandboxMode } from '../jail/sandbox-mode.ts';

/**
 * The messages between parent and child over the child's stdin and stdout: frames of a four-byte big-endian length and
 * that many bytes of JSON in UTF-8. The parent starts (`terms`), the launcher answers (`jailed`) and becomes the child,
 * which sends `ready`. From then on requests are answered in any order, each with any number of `progress` and
 * `warning` and one `result` or `error`.
 */

/** What the parent sends. The child trusts all of it. */
export type ParentMessage =
  | { readonly type: 'terms'; readonly mode: SandboxMode; readonly parentPid: number; readonly jail: JailTerms }
  | { readonly type: 'request'; readonly id: number; readonly op: string; readonly params: unknown }
  /** Stop every request; the parent ignores everything that comes back after this. */
  | { readonly type: 'cancel' };

/** What the child sends. The parent trusts none of it before `readChildMessage` has checked it. */
export type ChildMessage =
  | { readonly type: 'jailed'; readonly report: JailReport }
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly id: number; readonly done: number; readonly total: number }
  | { readonly type: 'warning'; readonly id: number; readonly issue: Issue }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError };

/** An ExportError as data. `cause` is for the log and may hold anything; the rest is fit for the user. */
export interface WireError {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly path?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly cause?: string | undefined;
}

/** Plans of thousands of entries fit; a child never sends anything nearly as long. */
export const PARENT_FRAME_LIMIT_BYTES = 64 * 2 ** 20;
export const CHILD_FRAME_LIMIT_BYTES = 2 ** 20;

/** The most a child may send: text for a user, issues of one error, warnings of one request, text for the log. */
export const LONGEST_MESSAGE = 2_000;
export const MAX_ISSUES = 200;
export const MAX_WARNINGS = 1_000;
export const LONGEST_CAUSE = 8_000;

/** Bytes that are not a frame, or a frame over the limit. Communication with the other side is over. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

const LENGTH_BYTES = 4;

/** One message as a frame. */
export function encodeFrame(message: ParentMessage | ChildMessage, limitBytes: number): Uint8Array {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  if (body.length > limitBytes) throw new FrameError(`a message of ${body.length} bytes; ${limitBytes} are allowed`);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, LENGTH_BYTES);
  return frame;
}

/**
 * The length that the first four bytes of a frame announce.
 * @throws FrameError over the limit, or for 0.
 */
export function frameLength(prefix: Uint8Array, limitBytes: number): number {
  const length = Buffer.from(prefix.buffer, prefix.byteOffset, LENGTH_BYTES).readUInt32BE();
  if (length === 0 || length > limitBytes) {
    throw new FrameError(`a frame of ${length} bytes; 1 to ${limitBytes} are allowed`);
  }
  return length;
}

/**
 * A frame's body as JSON, not yet checked.
 * @throws FrameError
 */
export function decodeBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new FrameError('a frame that is not JSON', { cause });
  }
}

/**
 * Takes frames out of a stream of bytes, however it is cut up. Holds one frame at most, and accepts an announced length
 * only up to the limit. Memory is allocated for bytes that have arrived, not for announced ones.
 */
export class FrameReader {
  readonly #limitBytes: number;
  #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  #wantedBytes = LENGTH_BYTES;
  #inBody = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The messages that `bytes` completes. @throws FrameError, after which the reader is of no more use. */
  *read(bytes: Uint8Array): Generator<unknown, void> {
    this.#chunks.push(bytes);
    this.#heldBytes += bytes.length;
    while (this.#heldBytes >= this.#wantedBytes) {
      const part = this.#take(this.#wantedBytes);
      this.#wantedBytes = this.#inBody ? LENGTH_BYTES : frameLength(part, this.#limitBytes);
      if (this.#inBody) yield decodeBody(part);
      this.#inBody = !this.#inBody;
    }
  }

  #take(count: number): Uint8Array {
    const held = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#heldBytes);
    this.#chunks = count === held.length ? [] : [held.subarray(count)];
    this.#heldBytes -= count;
    return held.subarray(0, count);
  }
}
