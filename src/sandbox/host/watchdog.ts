import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildLimits } from './child-limits.ts';
import { processLoad } from './process-load.ts';
import { eachEntry } from './work-folder.ts';

/** Which limit was passed. */
export type WatchdogVerdict =
  | 'out_of_memory'
  | 'over_disk'
  | 'too_many_threads'
  | 'stalled'
  | 'blocked'
  | 'over_budget';

/** A child can start thousands of threads in a tenth of a second. Elsewhere each look starts a program. */
const LOOK_EVERY_MS = process.platform === 'linux' ? 25 : 1_000;
/** A disk fills more slowly than memory does, and takes more looking. */
const LOOK_AT_DISK_EVERY_MS = 1_000;

/** What the watchdog watches: a process and the folder it writes to. */
interface Watched {
  readonly pid: number | undefined;
  readonly folder: string;
}

/**
 * Watches one child against its limits and reports once. Time counts only between `begin` and `end`; the other limits
 * always apply.
 *
 * Time is both wall time and the child's processor time. On a busy machine a healthy render gets little processor time,
 * and is not ended for that; only a child that gets none for very long (`blockedMs`) is.
 *
 * Dispose of it when the child is gone, or the timer goes on.
 */
export class Watchdog implements Disposable {
  readonly #watched: Watched;
  readonly #limits: ChildLimits;
  readonly #onVerdict: (verdict: WatchdogVerdict) => void;
  readonly #timer: NodeJS.Timeout;
  #lookingAtProcess = false;
  #lookingAtDisk = false;
  #stopped = false;
  #peakRssBytes = 0;
  #nextDiskLookMs = 0;
  #working = 0;
  #now: Clocks = { wallMs: performance.now(), cpuMs: 0 };
  #atProgress: Clocks = this.#now;
  #worked: Clocks = { wallMs: 0, cpuMs: 0 };

  constructor(watched: Watched, limits: ChildLimits, onVerdict: (verdict: WatchdogVerdict) => void) {
    this.#watched = watched;
    this.#limits = limits;
    this.#onVerdict = onVerdict;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  /** The most memory the child was seen to hold. */
  get peakRssBytes(): number {
    return this.#peakRssBytes;
  }

  /** A request has started. */
  begin(): void {
    this.#countTime();
    if (this.#working++ === 0) this.progressed();
  }

  /** A request got further. */
  progressed(): void {
    this.#atProgress = { ...this.#now, wallMs: performance.now() };
  }

  /** A request is over. */
  end(): void {
    this.#countTime();
    this.#working--;
    this.progressed();
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    this.#countTime();
    if (this.#working > 0) this.#judgeTime();
    await Promise.all([this.#lookAtProcess(), this.#lookAtDisk()]);
  }

  #judgeTime(): void {
    const { budgetMs, stallMs, blockedMs } = this.#limits;
    const worked = this.#worked;
    const still = since(this.#atProgress, this.#now);
    if (shorterOf(worked) > budgetMs || worked.wallMs > budgetMs + blockedMs) this.#judge('over_budget');
    else if (shorterOf(still) > stallMs) this.#judge('stalled');
    else if (still.wallMs > blockedMs) this.#judge('blocked');
  }

  async #lookAtProcess(): Promise<void> {
    const { pid } = this.#watched;
    if (pid === undefined || this.#lookingAtProcess) return;
    this.#lookingAtProcess = true;
    const load = await processLoad(pid);
    this.#lookingAtProcess = false;
    if (load === null) return;
    this.#countTime(load.cpuMs ?? performance.now());
    this.#peakRssBytes = Math.max(this.#peakRssBytes, load.peakRssBytes);
    if (load.rssBytes > this.#limits.rssBytes) this.#judge('out_of_memory');
    if (load.threads > this.#limits.threads) this.#judge('too_many_threads');
  }

  async #lookAtDisk(): Promise<void> {
    if (this.#lookingAtDisk || performance.now() < this.#nextDiskLookMs) return;
    this.#lookingAtDisk = true;
    const { folder, pid } = this.#watched;
    if ((await heldBytes(folder, pid)) > this.#limits.workBytes) this.#judge('over_disk');
    this.#lookingAtDisk = false;
    this.#nextDiskLookMs = performance.now() + LOOK_AT_DISK_EVERY_MS;
  }

  #judge(verdict: WatchdogVerdict): void {
    if (this.#stopped) return;
    this[Symbol.dispose]();
    this.#onVerdict(verdict);
  }

  /** If processor time is unknown, wall time counts instead. */
  #countTime(cpuMs = this.#now.cpuMs): void {
    const now = { wallMs: performance.now(), cpuMs };
    const passed = since(this.#now, now);
    this.#now = now;
    if (this.#working === 0) return;
    this.#worked = { wallMs: this.#worked.wallMs + passed.wallMs, cpuMs: this.#worked.cpuMs + passed.cpuMs };
  }
}

/** Time that passed, and processor time that the child got. */
interface Clocks {
  readonly wallMs: number;
  readonly cpuMs: number;
}

function since(earlier: Clocks, later: Clocks): Clocks {
  return { wallMs: later.wallMs - earlier.wallMs, cpuMs: later.cpuMs - earlier.cpuMs };
}

/** A child with many threads gets more processor time than time passes, one on a busy machine less. */
function shorterOf({ wallMs, cpuMs }: Clocks): number {
  return Math.min(wallMs, cpuMs);
}

const BLOCK_BYTES = 512;

/** No render has more than some hundred files. A file without content has no blocks, but costs an inode and a name. */
const MAX_ENTRIES = 10_000;

/**
 * The disk space of a child: the files of its folder, and those it has removed but still holds open, which are in no
 * folder. Counts allocated blocks, so holes count nothing. Infinite if there are too many files to count.
 */
async function heldBytes(folder: string, pid: number | undefined): Promise<number> {
  const [present, removed] = await Promise.all([folderBytes(folder), pid === undefined ? 0 : removedBytes(pid)]);
  return present + removed;
}

async function folderBytes(folder: string): Promise<number> {
  return sum(folder, async (name) => (await lstat(join(folder, name))).blocks);
}

async function removedBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const counted = new Set<string>();
  return sum(`/proc/${pid}/fd`, async (fd) => {
    const { dev, ino, nlink, blocks, isFile } = await openFile(pid, fd);
    const file = `${dev} ${ino}`;
    if (!isFile || nlink > 0 || counted.has(file)) return 0;
    counted.add(file);
    return blocks;
  });
}

/** Through the process that has it open: the file may have no name any more. */
async function openFile(pid: number, fd: string) {
  const stats = await stat(`/proc/${pid}/fd/${fd}`);
  return { dev: stats.dev, ino: stats.ino, nlink: stats.nlink, blocks: stats.blocks, isFile: stats.isFile() };
}

async function sum(folder: string, blocksOf: (name: string) => Promise<number>): Promise<number> {
  let entries = 0;
  let blocks = 0;
  // A file that was removed meanwhile counts nothing.
  await eachEntry(folder, async (name) => {
    if (++entries > MAX_ENTRIES) return false;
    blocks += await blocksOf(name).catch(() => 0);
    return true;
  }).catch(() => {});
  return entries > MAX_ENTRIES ? Number.POSITIVE_INFINITY : blocks * BLOCK_BYTES;
}
