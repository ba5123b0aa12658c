import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkTerminal } from '../../src/cli/command-line/terminal.ts';
import { BUILT } from '../../src/platform/program-files.ts';
import { WAIT_SECONDS, within } from '../within.ts';

export const MAIN = join(BUILT, 'main.js');

/** Runs the command line as a separate process. */
export function tiercut(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    timeout: WAIT_SECONDS * 1000,
  });
  return { status, stdout, stderr };
}

/** A terminal that records its output, in order. */
export class HeardTerminal implements WorkTerminal {
  readonly said: string[] = [];
  readonly status = { show: () => {}, end: () => {} };
  readonly #stop = new AbortController();
  #waiting: (() => void) | null = null;
  #from = 0;

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  out(line: string): void {
    this.#hear(line);
  }

  err(line: string): void {
    this.#hear(line);
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.#stop.abort(new Error('interrupted'));
  }

  /**
   * Returns the next matching line that no other call has returned. @throws if a line that matches `end` comes first or
   * has already come.
   */
  async until(like: RegExp, end?: RegExp): Promise<string> {
    for (;;) {
      for (; this.#from < this.said.length; this.#from += 1) {
        const line = this.said[this.#from]!;
        if (!like.test(line) && !end?.test(line)) continue;
        this.#from += 1;
        if (like.test(line)) return line;
        throw new Error(`${like} was not said:\n${this.said.join('\n')}`);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting = resolve;
      await within(`${like}`, promise);
    }
  }

  #hear(line: string): void {
    this.said.push(line);
    this.#waiting?.();
    this.#waiting = null;
  }
}

/** A temporary folder, removed on dispose. */
export class ScratchFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'tiercut-cli-'));

  file(name: string, content: unknown): string {
    const path = join(this.path, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  in(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
