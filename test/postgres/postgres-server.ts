import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { within } from '../within.ts';
import { isOpenToAll, type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts';

/** PostgreSQL refuses to be run by root; this user owns nothing. */
const NOBODY = 65_534;

/** Enough for the nodes of any test. */
const MAX_CONNECTIONS = 200;

/** How a server ends: `fast` closes its connections, `immediate` is a crash whose log is replayed at the next start. */
export type Ending = 'fast' | 'immediate';

/**
 * A real PostgreSQL with its own folder, reached by a Unix socket in that folder. It writes as durably as one in
 * production.
 */
export class PostgresServer {
  readonly folder: string;
  readonly #maxConnections: number;
  readonly #binaries: PostgresBinaries;
  readonly #user: { readonly uid?: number; readonly gid?: number };
  #process: ChildProcess | undefined;
  #watcher: ChildProcess | undefined;

  private constructor(folder: string, maxConnections: number) {
    const isRoot = process.getuid?.() === 0;
    this.folder = folder;
    this.#maxConnections = maxConnections;
    this.#user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    this.#binaries = postgresBinaries(folder, isRoot);
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o755);
  }

  /** Makes an empty server in `folder`, which is made too, and starts it. */
  static async create(folder = temporaryFolder(), maxConnections = MAX_CONNECTIONS): Promise<PostgresServer> {
    mkdirSync(folder, { recursive: true });
    const server = new PostgresServer(folder, maxConnections);
    try {
      server.#run('initdb', ['-D', server.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']);
      await server.start();
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  /** The address of one of its databases. */
  url(database: string): string {
    return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const settings = [
      'listen_addresses=',
      `unix_socket_directories=${this.folder}`,
      `max_connections=${this.#maxConnections}`,
      'shared_buffers=64MB',
    ];
    const server = spawn(
      join(this.#binaries.bin, 'postgres'),
      ['-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])],
      // In its own process group: Ctrl-C is for the process that started it, which ends it last.
      { ...this.#how, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    this.#process = server;
    this.#watcher = this.#watch(server.pid!);
    let log = '';
    const ready = Promise.withResolvers<void>();
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4000);
      if (log.includes('ready to accept connections')) ready.resolve();
    });
    server.once('error', ready.reject);
    server.once('exit', () => ready.reject(new Error(`PostgreSQL has ended:\n${log}`)));
    await within('the start of PostgreSQL', ready.promise);
  }

  /** Ends it and waits until it is gone; `start` goes on with the same data. */
  async stop(ending: Ending): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    this.#watcher?.kill('SIGKILL');
    const gone = once(server, 'exit');
    server.kill(ending === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await within('the end of PostgreSQL', gone);
  }

  /**
   * Ends the server and its remains when this process has ended, in any way: the system then closes the pipe between
   * them.
   */
  #watch(server: number): ChildProcess {
    const script = 'cat >/dev/null; kill -QUIT "$0" && while kill -0 "$0" 2>/dev/null; do sleep 0.1; done; rm -rf "$1"';
    const watcher = spawn('/bin/sh', ['-c', script, `${server}`, this.folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watcher.on('error', () => {}); // without it the server has to be ended by hand, where a run was killed
    watcher.stdin!.on('error', () => {});
    (watcher.stdin as Socket).unref();
    watcher.unref();
    return watcher;
  }

  /** Nothing of it is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('immediate');
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #how() {
    const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: this.#binaries.libraries, LC_ALL: 'C', TZ: 'UTC' };
    return { ...this.#user, cwd: '/', env };
  }

  #run(program: string, args: readonly string[]): void {
    execFileSync(join(this.#binaries.bin, program), args, { ...this.#how, stdio: 'pipe' });
  }
}

/** Where its user can reach it; the path of a Unix socket is short. */
export function temporaryParent(): string {
  return process.getuid?.() === 0 && !isOpenToAll(tmpdir()) ? '/tmp' : tmpdir();
}

function temporaryFolder(): string {
  return mkdtempSync(join(temporaryParent(), 'tiercut-pg-'));
}
