import type { MediaLimits } from '../engine/input/media-limits.ts';
import type { ProbedMedia } from '../engine/probe/probed-media.ts';
import { ExportError } from '../errors.ts';
import { NICENESS } from '../platform/stand-back.ts';
import type { Seconds } from '../time.ts';
import { type ChildAllowance, childLimits } from './host/child-limits.ts';
import type { LaunchOptions } from './host/launch-options.ts';
import type { SandboxMode } from './jail/sandbox-mode.ts';
import { launchRenderChild, type RenderChild } from './render-child.ts';

/** How render children are run here; the same for all of them. */
export interface RenderHostOptions {
  readonly mode: SandboxMode;
  readonly allowance: ChildAllowance;
  readonly mediaLimits: MediaLimits;
  readonly cgroups?: LaunchOptions['cgroups'];
  /** Whether children stand back for whatever else runs here, as far as their tasks allow it. */
  readonly standBack?: boolean | undefined;
  readonly codeDir?: string | undefined;
  readonly onChildEnded?: LaunchOptions['onEnded'];
  readonly log?: LaunchOptions['log'];
}

/** One child: its inputs, its folder, and how long a video it will work on. */
export interface ChildTask {
  readonly inputs: readonly string[];
  readonly workDir: string;
  /** A folder whose files it may read, whenever they are put there, and never change. */
  readonly lentDir?: string | undefined;
  readonly duration: Seconds;
  /** Less time than the duration would allow. */
  readonly budgetMs?: number | undefined;
  /** The longest file it may write, where that is less than a video. */
  readonly fileBytes?: number | undefined;
  /** How far it stands back for the service; not at all if absent. */
  readonly niceness?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What looking into a file has brought: what is in it, or why it cannot be used. */
export type Probed = ProbedMedia | ExportError;

/** What a child may take goes by seconds of video. A file to look into counts for so much: 5 s at the default allowance. */
const SECONDS_A_FILE_COUNTS_FOR = 1 / 8;

const MOST_STARTS = 3;

/** Starts render children, all under the same rules. */
export class RenderHost {
  readonly mediaLimits: MediaLimits;
  readonly #options: RenderHostOptions;

  constructor(options: RenderHostOptions) {
    this.#options = options;
    this.mediaLimits = options.mediaLimits;
  }

  /** A child for one export. The caller owns it. */
  open({ inputs, workDir, lentDir, duration, budgetMs, fileBytes, niceness, signal }: ChildTask): Promise<RenderChild> {
    const { mode, allowance, standBack = false, cgroups, codeDir, onChildEnded: onEnded, log } = this.#options;
    const limits = childLimits(duration, allowance);
    return launchRenderChild({
      mode,
      inputs,
      workDir,
      lentDir,
      limits: {
        ...limits,
        budgetMs: Math.min(limits.budgetMs, budgetMs ?? limits.budgetMs),
        fileBytes: Math.min(limits.fileBytes, fileBytes ?? limits.fileBytes),
      },
      niceness: standBack ? niceness : undefined,
      signal,
      cgroups,
      codeDir,
      onEnded,
      log,
    });
  }

  /**
   * Looks into files, each in its turn, in one child. A file that cannot be used is an error of its own; one that
   * brings the child down, a second one too where it died for no reason of ours, is blamed for it, and the rest are
   * looked into by a new child.
   */
  async probe(task: Omit<ChildTask, 'duration' | 'budgetMs'>): Promise<Probed[]> {
    const results: Probed[] = [];
    let suspect = -1;
    // One budget for all children of one request, however often they have to be replaced: others wait meanwhile.
    const duration = task.inputs.length * SECONDS_A_FILE_COUNTS_FOR;
    const endsAtMs = performance.now() + childLimits(duration, this.#options.allowance).budgetMs;
    while (results.length < task.inputs.length) {
      const budgetMs = endsAtMs - performance.now();
      if (budgetMs <= 0) return [...results, ...task.inputs.slice(results.length).map(() => overBudget())];
      await using child = await this.#openAgain({ ...task, duration, budgetMs, niceness: NICENESS.probe });
      for (let alive = true; alive && results.length < task.inputs.length; ) {
        const file = task.inputs[results.length]!;
        try {
          results.push(await child.request('probe', { file, limits: this.mediaLimits }, { signal: task.signal }));
        } catch (error) {
          task.signal?.throwIfAborted();
          if (!(error instanceof ExportError)) throw error;
          alive = !CHILD_ENDINGS.has(error.code);
          // The first death may have been chance: the machine ran out of memory, someone killed a process.
          const chance = error.code === 'render.crashed' && suspect !== results.length;
          if (chance) suspect = results.length;
          else results.push(alive ? error : fatal(error));
        }
      }
    }
    return results;
  }

  /** A child that did not come up says nothing about the files; a job would be tried as often. (C35) */
  async #openAgain(task: ChildTask): Promise<RenderChild> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.open(task);
      } catch (error) {
        const isChance = error instanceof ExportError && error.code === 'render.start_failed';
        if (!isChance || tries === MOST_STARTS) throw error;
      }
    }
  }
}

/** After these there is no child left to ask. */
const CHILD_ENDINGS: ReadonlySet<string> = new Set([
  'render.blocked',
  'render.crashed',
  'render.misbehaved',
  'render.out_of_memory',
  'render.over_budget',
  'render.over_disk',
  'render.stalled',
]);

function overBudget(): ExportError {
  const message = 'Looking into the files of this request took longer than it may; this one was not reached.';
  return new ExportError('invalid', 'render.over_budget', message);
}

/** A file that nothing survives is the file's fault. (C34) */
function fatal(cause: ExportError): ExportError {
  const message = 'The file is damaged in a way that makes it impossible to look into.';
  return new ExportError('invalid', 'media.unreadable', message, { cause });
}
