import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import { ExportError } from '../../errors.ts';
import { lowerPriority } from '../../platform/process-priority.ts';
import type { CgroupBounds, RenderCgroup } from '../cgroup/render-cgroup.ts';
import { ChildChannel, type ExitFacts } from '../channel/child-channel.ts';
import type { OperationTypes } from '../channel/operation.ts';
import type { ChildMessage } from '../channel/protocol.ts';
import type { JailReport } from '../jail/sandbox-mode.ts';
import { type ChildEnding, ENDINGS, endingError, sandboxRequired } from './child-ending.ts';
import type { ChildProgram } from './child-program.ts';
import type { LaunchOptions, RequestOptions } from './launch-options.ts';
import { PendingRequests, type RequestMessage } from './pending-requests.ts';
import { readyProgram } from './ready-program.ts';
import { inSources } from './source-places.ts';
import { spawnJail } from './spawn-jail.ts';
import { Watchdog } from './watchdog.ts';
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
    const { limits, mode, inputs, workDir, lentDir, codeDir } = options;
    this.#program = program;
    this.#options = options;
    this.#channel = new ChildChannel(
      spawnJail(workDir, codeDir),
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
    const jail = { entry: readyProgram(program.entry, codeDir), inputs, workDir, lentDir, codeDir, resources };
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
    const cause = inSources(message.error.cause, this.#options.codeDir);
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
    const stderr = inSources(exit.stderr, this.#options.codeDir);
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
