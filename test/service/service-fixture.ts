import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUILT } from '../../src/platform/program-files.ts';
import { within } from '../within.ts';
import { endWithMe } from './end-with-me.ts';
import { reached } from './export-client.ts';
import { descendantsOf, isRunning } from './process-tree.ts';

/** Enough for a busy machine. */
const CHILDREN_END_SECONDS = 20;
const PROGRAM = join(BUILT, 'main.js');

/** Small, so that an export takes a moment. */
export const SMALL_PRESETS = [
  { name: 'preset_one', width: 128, height: 72, aliases: ['landscape'] },
  { name: 'preset_two', width: 72, height: 128, aliases: ['portrait'] },
  { name: 'preset_three', width: 96, height: 96, aliases: ['square'] },
] as const;

/** Variables of the service, as an operator would set them. */
export type ServiceSettings = Readonly<Record<string, string>>;

const DEFAULTS: ServiceSettings = {
  HOST: '127.0.0.1',
  PORT: '0',
  TIERCUT_PRESETS: JSON.stringify(SMALL_PRESETS),
  TIERCUT_REQUESTS_PER_MINUTE: '0',
  // The free space of the machine's disk is not tested here.
  TIERCUT_MIN_FREE_DISK: '0',
  TIERCUT_MIN_FREE_DISK_PERCENT: '0',
  // Studio pages would have every edit rendered.
  TIERCUT_MAX_DRAFTS: '0',
  // Beside other tests a render with lowered priority would make no progress.
  TIERCUT_STAND_BACK: 'off',
};

/** What tests of the service talk to: one process, or several. */
export interface Deployment extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:41317`; of several nodes, each time the next. */
  readonly base: string;
  /** Its processes. */
  readonly nodes: readonly ServiceFixture[];
  /** The names of all files below a part of the data folder (`blobs`, `parts`, `work`), sorted; of several, of all their folders. */
  files(part: string): string[];
}

/** The real service: its own process, its own data folder, listening. Gone, folder and all, when disposed. */
export class ServiceFixture implements Deployment {
  readonly folder: string;
  /** What it has written so far, over all its lives. */
  readonly lines: string[] = [];
  readonly nodes = [this];
  readonly #settings: ServiceSettings;
  readonly #command: readonly string[];
  #process!: ChildProcess;
  #base = '';

  private constructor(settings: ServiceSettings, folder: string, command: readonly string[]) {
    this.#settings = settings;
    this.#command = command;
    this.folder = folder;
  }

  static async start(settings: ServiceSettings = {}, command: readonly string[] = ['serve']): Promise<ServiceFixture> {
    const folder = mkdtempSync(join(tmpdir(), 'tiercut-service-'));
    const fixture = new ServiceFixture(settings, folder, command);
    await fixture.start();
    return fixture;
  }

  /** Empty while it does not listen. */
  get base(): string {
    return this.#base;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** null while it runs, and where a signal ended it. */
  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  /** Starts it again on the same folder, once it has ended; resolves when it listens. */
  async start(settings: ServiceSettings = {}): Promise<void> {
    this.launch(settings);
    await this.listening();
  }

  /** As `start`, without waiting for it to listen. */
  launch(settings: ServiceSettings = {}): void {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TIERCUT_'));
    this.#process = spawn(process.execPath, [PROGRAM, ...this.#command], {
      env: {
        ...Object.fromEntries(inherited),
        ...DEFAULTS,
        TIERCUT_DATA_DIR: this.folder,
        ...this.#settings,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithMe(this.#process);
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      createInterface(stream).on('line', (line) => {
        this.lines.push(line);
        const [isUp, address] = /^Tiercut \S+ (?:is at (\S+)|renders, \d+ at once)$/.exec(line) ?? [];
        if (isUp === undefined) return;
        this.#base = address ?? '';
        this.#process.emit('listening');
      });
    }
  }

  /** Resolves once the process that was launched listens. @throws where it ends instead. */
  async listening(): Promise<void> {
    const ended = once(this.#process, 'exit').then(() => 'ended' as const);
    const outcome = await within(
      'the start of a service',
      Promise.race([once(this.#process, 'listening'), ended]),
    ).catch(String);
    if (typeof outcome === 'string') throw new Error(`the service did not start: ${outcome}\n${this.lines.join('\n')}`);
  }

  /** SIGTERM; how it ended, and after how long. */
  async stop(): Promise<{ readonly code: number | null; readonly seconds: number }> {
    const begun = performance.now();
    const code = await this.#end('SIGTERM');
    return { code, seconds: (performance.now() - begun) / 1000 };
  }

  /** SIGKILL; the processes it had started, dead or alive. */
  async kill(): Promise<readonly number[]> {
    const children = descendantsOf(this.pid);
    await this.#end('SIGKILL');
    return children;
  }

  /** SIGKILL; resolves once all that it had started is gone with it. */
  async killTree(): Promise<void> {
    this.signal('SIGSTOP'); // it starts nothing more while its children are looked up
    const children = await this.kill();
    await reached('the end of every child', () => !children.some(isRunning), CHILDREN_END_SECONDS);
  }

  /** SIGSTOP, SIGCONT: nothing of it runs in between, its children excepted. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }

  /** Kills without waiting, for the very moment this is called. */
  killNow(): void {
    this.#process.kill('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    this.#base = '';
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return this.#process.exitCode;
    const exit = once(this.#process, 'exit');
    this.#process.kill(signal);
    const [code] = (await within(`the end of a service after ${signal}`, exit)) as [number | null];
    return code;
  }

  /** The names of all files below a part of the data folder (`blobs`, `blobs/parts`, `work`), sorted. */
  files(part: string): string[] {
    return filesBelow(join(this.folder, part), '').sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Folder by folder: the service may remove one while it is looked for, and then it is simply not there. */
export function filesBelow(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = join(folder, entry.name);
    if (!entry.isDirectory()) return [name];
    try {
      return filesBelow(root, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}
