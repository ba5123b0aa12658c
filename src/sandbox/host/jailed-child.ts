import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ErrorKind, ExportError } from '../../errors.ts';
import { lowerPriority } from '../../platform/process-priority.ts';
import { BUILT, CODE } from '../../platform/program-files.ts';
import type { CgroupBounds, RenderCgroup } from '../cgroup/render-cgroup.ts';
import { ChildChannel, type ExitFacts, type SpawnedChild } from '../channel/child-channel.ts';
import type { OperationTypes } from '../channel/operation.ts';
import type { ChildMessage } from '../channel/protocol.ts';
import { type Pipe, pipe } from '../jail/descriptors.ts';
import type { JailReport } from '../jail/sandbox-mode.ts';
import type { ChildProgram } from './child-program.ts';
import type { LaunchOptions, RequestOptions } from './launch-options.ts';
import { isOutOfDescriptors, outOfDescriptors } from './out-of-descriptors.ts';
import { PendingRequests, type RequestMessage } from './pending-requests.ts';
import { Watchdog, type WatchdogVerdict } from './watchdog.ts';
import { emptyFolder, requireEmptyFolder, requireInside, requirePlainFile } from './work-folder.ts';

const START_LIMIT_MS = 20_000;
const CANCEL_GRACE_MS = 400;
const CLOSE_GRACE_MS = 1_000;
/**
 * Reserved memory counts as data before it is used; the watchdog, which can report the reason, should act first.
 * Measured: V8's code range, stacks of 8 MiB for each of some ten threads a core, and frames not yet written to, 0.8
 * GiB in all at 4K on two cores.
 */
const DATA_LIMIT_OVER_RSS_BYTES = (768 + 128 * availableParallelism()) * 2 ** 20;

/**
 * A jailed process that answers requests, seen from the parent. However it ends, that becomes the ExportError of every
 * open request, once the process is gone and its work folder is empty.
 *
 * The owner closes it (`await using`). The files of answered requests then stay in the work folder, for the owner to
 * take.
 */
export class JailedChild<Ops extends Record<keyof Ops, OperationTypes>> implements AsyncDisposable {
  readonly #program: ChildProgram<Ops>;
  readonly #options: LaunchOptions;
  readonly #channel: ChildChannel;
  readonly #watchdog: Watchdog;
  readonly #requests: PendingRequests;
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone: Promise<void>;
  readonly #stop = (): void => this.#askToStop();
  readonly #cgroup: RenderCgroup | null;
  #killer: NodeJS.Timeout | undefined;
  #jail: JailReport | null = null;
  #ending: ChildEnding | null = null;
  #error: ExportError | null = null;
  #started = false;
  #closing = false;
  #unanswered = 0;

  /**
   * Starts the program in its jail. The child takes requests once the promise is fulfilled.
   *
   * @throws `sandbox.incomplete` if the mode is `required` and the machine lacks a layer.
   */
  static async start<Ops extends Record<keyof Ops, OperationTypes>>(
    program: ChildProgram<Ops>,
    options: LaunchOptions,
  ): Promise<JailedChild<Ops>> {
    const { kind, code, message } = ENDINGS.cancelled;
    if (options.signal?.aborted) throw new ExportError(kind, code, message);
    await requireEmptyFolder(options.workDir);
    await Promise.all(options.inputs.map(requireInput));
    const child = new JailedChild(program, options);
    await child.#ready.promise;
    return child;
  }

  private constructor(program: ChildProgram<Ops>, options: LaunchOptions) {
    const { limits, mode, inputs, workDir, lentDir } = options;
    this.#program = program;
    this.#options = options;
    this.#channel = new ChildChannel(
      spawnJail(workDir),
      (message) => this.#hear(message),
      (cause) => this.#end({ ...ENDINGS.misbehaved, cause }),
    );
    if (options.niceness !== undefined && this.#channel.pid !== undefined)
      lowerPriority(this.#channel.pid, options.niceness);
    const watched = { pid: this.#channel.pid, folder: workDir };
    this.#watchdog = new Watchdog(watched, limits, (verdict) => this.#end(ENDINGS[verdict]));
    this.#requests = new PendingRequests(this.#watchdog);
    this.#gone = this.#channel.exit.then((exit) => this.#settle(exit));
    this.#killer = setTimeout(() => this.#end(ENDINGS.start_failed), START_LIMIT_MS);
    options.signal?.addEventListener('abort', this.#stop);
    const resources = { dataBytes: limits.rssBytes + DATA_LIMIT_OVER_RSS_BYTES, fileBytes: limits.fileBytes };
    // The child does nothing before it has its terms, so the cgroup counts everything it does.
    this.#cgroup = this.#enterCgroup({ memoryBytes: resources.dataBytes, threads: limits.threads });
    const jail = { entry: program.entry, inputs, workDir, lentDir, codeDir: CODE, resources };
    this.#channel.send({ type: 'terms', mode, parentPid: process.pid, jail });
  }

  /** The active layers of the child's jail. */
  get jail(): JailReport {
    return this.#jail ?? { layers: [], missing: [] };
  }

  /** The most memory the child was seen to hold. */
  get peakRssBytes(): number {
    return this.#watchdog.peakRssBytes;
  }

  /** Whether it still accepts requests, as far as the parent knows. */
  get lives(): boolean {
    return this.#ending === null && !this.#closing && this.#error === null;
  }

  /** The process may be gone already. */
  get pid(): number | undefined {
    return this.#channel.pid;
  }

  /**
   * Requests one operation. Requests may overlap.
   *
   * @throws the operation's error; or, for all open requests, the reason why the child ended.
   */
  async request<Op extends keyof Ops & string>(
    op: Op,
    params: Ops[Op]['params'],
    options: RequestOptions = {},
  ): Promise<Ops[Op]['result']> {
    if (this.#closing) throw new Error('a closed child takes no requests');
    const contract = this.#program.operations[op];
    const outputs = contract.outputs?.(params) ?? [];
    for (const path of outputs) requireInside(this.#options.workDir, path);
    if (options.signal?.aborted) this.#askToStop();
    if (this.#ending !== null) await this.#gone;
    if (this.#error !== null) throw this.#error;

    const { id, answer } = this.#requests.add(contract.result, options);
    options.signal?.addEventListener('abort', this.#stop);
    try {
      this.#post(id, op, params);
      const value = await answer;
      if (contract.takenMeanwhile !== true) await Promise.all(outputs.map(requirePlainFile));
      return value as Ops[Op]['result'];
    } finally {
      options.signal?.removeEventListener('abort', this.#stop);
    }
  }

  /** Closes the child and waits until it is gone. Open requests fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    this.#channel.close();
    if (this.#requests.size > 0) this.#end(ENDINGS.closed);
    else if (this.#ending === null) this.#killIn(CLOSE_GRACE_MS);
    await this.#gone;
  }

  /** If there is no cgroup, the child runs without: the watchdog and the process limits bound it too. */
  #enterCgroup(bounds: CgroupBounds): RenderCgroup | null {
    const { cgroups, log } = this.#options;
    const { pid } = this.#channel;
    try {
      return pid === undefined ? null : (cgroups?.add(pid, bounds) ?? null);
    } catch (error) {
      log?.('render process without cgroup', error);
      return null;
    }
  }

  #post(id: number, op: string, params: unknown): void {
    try {
      this.#channel.send({ type: 'request', id, op, params });
    } catch (error) {
      this.#requests.reject(id, error);
    }
  }

  #hear(message: ChildMessage): void {
    if (message.type === 'jailed') this.#inspectJail(message.report);
    else if (message.type === 'ready') this.#becomeReady();
    else if (this.#ending === null) this.#requests.hear(this.#withPlaces(message));
    else if (message.type === 'result' || message.type === 'error') this.#noteStopped();
  }

  /** The program itself could claim anything, so only the first report, which is the launcher's, counts. */
  #inspectJail(report: JailReport): void {
    if (this.#jail !== null) return;
    this.#jail = report;
    this.#options.log?.('render process sandboxed', report);
    if (this.#options.mode === 'required' && report.missing.length > 0) this.#end(sandboxRequired(report));
  }

  #withPlaces(message: RequestMessage): RequestMessage {
    if (message.type !== 'error' || message.error.cause === undefined) return message;
    const cause = inSources(message.error.cause);
    return { ...message, error: { ...message.error, cause } };
  }

  #becomeReady(): void {
    if (this.#ending !== null) return;
    clearTimeout(this.#killer);
    this.#started = true;
    this.#ready.resolve();
  }

  #askToStop(): void {
    if (this.#ending !== null || this.#closing) return;
    this.#ending = ENDINGS.cancelled;
    this.#unanswered = this.#requests.size;
    this.#channel.send({ type: 'cancel' });
    this.#killIn(this.#unanswered === 0 ? 0 : CANCEL_GRACE_MS);
  }

  #noteStopped(): void {
    if (--this.#unanswered <= 0) this.#channel.kill();
  }

  #end(ending: ChildEnding): void {
    this.#ending ??= ending;
    this.#channel.kill();
  }

  #killIn(delayMs: number): void {
    clearTimeout(this.#killer);
    this.#killer = setTimeout(() => this.#channel.kill(), delayMs);
  }

  async #settle(exit: ExitFacts): Promise<void> {
    this.#watchdog[Symbol.dispose]();
    clearTimeout(this.#killer);
    this.#options.signal?.removeEventListener('abort', this.#stop);
    this.#ending ??= this.#closing ? ENDINGS.closed : this.#started ? ENDINGS.crashed : ENDINGS.start_failed;
    if (this.#ending === ENDINGS.crashed && this.#cgroup?.ranOutOfMemory) this.#ending = ENDINGS.out_of_memory;
    this.#cgroup?.[Symbol.dispose]();
    const stderr = inSources(exit.stderr);
    this.#error = endingError(this.#ending, { ...exit, stderr });
    this.#options.onEnded?.(this.#ending.code);
    if (this.#ending !== ENDINGS.closed) {
      await emptyFolder(this.#options.workDir).catch((error: unknown) => {
        this.#options.log?.('work folder of render process not emptied', error);
      });
      this.#options.log?.('render process ended', this.#error);
    }
    this.#ready.reject(this.#error);
    this.#requests.rejectAll(this.#error);
  }
}

async function requireInput(path: string): Promise<void> {
  const stats = isAbsolute(path) ? await stat(path).catch(() => null) : null;
  if (stats?.isFile()) return;
  throw new ExportError('internal', 'render.input_missing', 'A media file of this export no longer exists.', {
    cause: new Error(`no file at ${path}`),
  });
}

// No other file is read, even if a child names one.
const PLACE = new RegExp(`${RegExp.escape(pathToFileURL(BUILT).href)}/([\\w-]+\\.js):(\\d+):(\\d+)`, 'g');

/** Read for the first reported fault, then cached. */
const maps = new Map<string, SourceMap | null>();

/** A text of a child, with the positions of our sources in its stacks, if this is a clone. */
function inSources(text: string): string {
  return text.replaceAll(PLACE, (said, name: string, line: string, column: string) => {
    const origin = mapOf(join(BUILT, `${name}.map`))?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return said;
    const source = new URL(origin.fileName, pathToFileURL(join(BUILT, name)));
    return `${source.href}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(path: string): SourceMap | null {
  let map = maps.get(path);
  if (map === undefined) {
    map = readMap(path);
    maps.set(path, map);
  }
  return map;
}

/** null: the npm package has none. */
function readMap(path: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

const LAUNCHER = join(BUILT, 'jail-main.js');
const LAUNCHER_FLAGS = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];

/**
 * Starts the launcher, which waits for its terms on stdin. It gets no environment, and its own session: a terminal's
 * Ctrl-C reaches only the parent, which then ends the child in order.
 *
 * Its stdio are real pipes. Node's own "pipes" are sockets, which can pass descriptors, and for which the jail would
 * have to allow the calls for sockets.
 *
 * @throws `render.busy` if this process has no descriptors left.
 */
function spawnJail(workDir: string): SpawnedChild {
  using made = new DisposableStack();
  // Ours end here too unless the process has come up.
  const [stdin, stdout, stderr] = [openPipe(made), openPipe(made), openPipe(made)];
  const child = spawn(process.execPath, [...LAUNCHER_FLAGS, LAUNCHER], {
    cwd: workDir,
    detached: true,
    env: {},
    stdio: [stdin.readFd, stdout.writeFd, stderr.writeFd],
  });
  if (child.stdin === undefined) {
    // The child did not start. The reason follows as an event, which would end the whole process without a listener.
    (child as ChildProcess).on('error', () => {});
    throw outOfDescriptors();
  }
  made.move();
  for (const fd of [stdin.readFd, stdout.writeFd, stderr.writeFd]) closeSync(fd);
  return {
    process: child,
    stdin: new Socket({ fd: stdin.writeFd, readable: false, writable: true }),
    stdout: new Socket({ fd: stdout.readFd, readable: true, writable: false }),
    stderr: new Socket({ fd: stderr.readFd, readable: true, writable: false }),
  };
}

function openPipe(made: DisposableStack): Pipe {
  try {
    return made.adopt(pipe(), ({ readFd, writeFd }) => {
      closeSync(readFd);
      closeSync(writeFd);
    });
  } catch (error) {
    throw isOutOfDescriptors(error) ? outOfDescriptors(error) : error;
  }
}

/** Why a child ended, or was ended: the user's part of the error. */
interface ChildEnding {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** Limits that only media can reach are the media's fault, a crash is ours. (C34) */
const ENDINGS = {
  cancelled: { kind: 'cancelled', code: 'render.cancelled', message: 'The render was cancelled.' },
  out_of_memory: {
    kind: 'invalid',
    code: 'render.out_of_memory',
    message: 'The render needed more memory than one export may use. Use smaller or fewer media files.',
  },
  over_disk: {
    kind: 'invalid',
    code: 'render.over_disk',
    message: 'The render wrote more data than an export of this length can have.',
  },
  too_many_threads: {
    kind: 'internal',
    code: 'render.misbehaved',
    message: 'The render process started too many threads.',
  },
  stalled: {
    kind: 'invalid',
    code: 'render.stalled',
    message: 'The render stopped making progress.',
  },
  blocked: {
    kind: 'internal',
    code: 'render.blocked',
    message: 'The render process was blocked for too long.',
  },
  over_budget: {
    kind: 'invalid',
    code: 'render.over_budget',
    message: 'The render took longer than the limit for an export of this length.',
  },
  crashed: { kind: 'internal', code: 'render.crashed', message: 'The render ended unexpectedly.' },
  misbehaved: { kind: 'internal', code: 'render.misbehaved', message: 'The render process sent an invalid message.' },
  start_failed: { kind: 'internal', code: 'render.start_failed', message: 'The render process did not start.' },
  closed: { kind: 'internal', code: 'render.closed', message: 'The render process was closed before it finished.' },
} as const satisfies Record<WatchdogVerdict | string, ChildEnding>;

/** A jail with missing layers, where all are required. */
function sandboxRequired({ missing }: JailReport): ChildEnding {
  return {
    kind: 'unavailable',
    code: 'sandbox.incomplete',
    message: `This machine cannot sandbox a render as required: ${missing.map(({ name }) => name).join(', ')} missing.`,
    cause: new Error(missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ')),
  };
}

/** The error for the child's callers; `cause` has the exit of the process and its last output on stderr. */
function endingError({ kind, code, message, cause }: ChildEnding, exit: ExitFacts): ExportError {
  const how = exit.signal === null ? `exit code ${exit.exitCode}` : `signal ${exit.signal}`;
  const account = new Error(`${how}; stderr:\n${exit.stderr}`, cause === undefined ? undefined : { cause });
  return new ExportError(kind, code, message, { cause: account });
}
