import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { readChildMessage } from './child-message.ts';
import {
  CHILD_FRAME_LIMIT_BYTES,
  type ChildMessage,
  encodeFrame,
  FrameError,
  FrameReader,
  MAX_WARNINGS,
  PARENT_FRAME_LIMIT_BYTES,
  type ParentMessage,
} from './protocol.ts';

const STDERR_TAIL_BYTES = 16 * 1024;
/** Besides its warnings a child sends ten a second for each request; far more is an attempt to keep the parent busy. */
const MESSAGES_PER_SECOND = 5 * MAX_WARNINGS;
/** How long the pipes of a dead process are read on; something else may hold their other end. */
const DRAIN_MS = 500;

/** A process and our ends of its pipes. */
export interface SpawnedChild {
  readonly process: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** How a process ended, for the log. */
export interface ExitFacts {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** The communication with one child process: checked messages in, messages out, and how it ended. */
export class ChildChannel {
  readonly #child: SpawnedChild;
  readonly #stderr = new TextTail(STDERR_TAIL_BYTES);
  readonly #exit = Promise.withResolvers<ExitFacts>();
  #secondBeganMs = 0;
  #messagesThisSecond = 0;
  #isIgnored = false;

  /**
   * An error thrown by `onMessage` counts as garbage too. `onGarbage` is called once, and no message is passed on after
   * it.
   */
  constructor(child: SpawnedChild, onMessage: (message: ChildMessage) => void, onGarbage: (cause: unknown) => void) {
    this.#child = child;
    const { process, stdin, stdout, stderr } = child;
    const reader = new FrameReader(CHILD_FRAME_LIMIT_BYTES);
    stdout.on('data', (bytes: Uint8Array) => {
      if (this.#isIgnored) return;
      try {
        for (const json of reader.read(bytes)) {
          this.#count();
          onMessage(readChildMessage(json));
        }
      } catch (cause) {
        this.#isIgnored = true;
        onGarbage(cause);
      }
    });
    stderr.on('data', (bytes: Uint8Array) => this.#stderr.append(bytes));
    // Writing to a dead child fails; its exit event reports the death.
    stdin.on('error', () => {});
    process.on('error', (error) => {
      this.#stderr.append(Buffer.from(String(error)));
      if (process.pid === undefined) this.#settle(null, null);
    });
    process.on('exit', (exitCode, signal) => {
      const patience = setTimeout(() => this.#settle(exitCode, signal), DRAIN_MS);
      void Promise.all([ended(stdout), ended(stderr)]).then(() => {
        clearTimeout(patience);
        this.#settle(exitCode, signal);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.process.pid;
  }

  /** Fulfilled, never rejected, when the process is gone and was reaped. */
  get exit(): Promise<ExitFacts> {
    return this.#exit.promise;
  }

  /** @throws FrameError for a message that is too long for any child. */
  send(message: ParentMessage): void {
    this.#child.stdin.write(encodeFrame(message, PARENT_FRAME_LIMIT_BYTES));
  }

  /** Signals the end of input to the child, which then exits. */
  close(): void {
    this.#child.stdin.end();
  }

  kill(): void {
    this.#child.process.kill('SIGKILL');
  }

  #count(): void {
    const now = performance.now();
    if (now - this.#secondBeganMs >= 1_000) {
      this.#secondBeganMs = now;
      this.#messagesThisSecond = 0;
    }
    if (++this.#messagesThisSecond > MESSAGES_PER_SECOND)
      throw new FrameError('more messages than a child has to send');
  }

  #settle(exitCode: number | null, signal: NodeJS.Signals | null): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.#exit.resolve({ exitCode, signal, stderr: String(this.#stderr) });
  }
}

/** Resolves, and never rejects, when the stream has ended. */
async function ended(stream: Readable): Promise<void> {
  await finished(stream, { writable: false }).catch(() => {});
}

/** Keeps the end of a text that may be endless. */
class TextTail {
  readonly #limitBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  append(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]).subarray(-this.#limitBytes);
  }

  /** The kept text; control characters other than line breaks and tabs are shown as dots. */
  toString(): string {
    return this.#bytes.toString('utf8').replaceAll(/[^\P{Cc}\n\t]/gu, '·');
  }
}
