import type { MediaLimits } from '../engine/input/media-limits.ts';
import type { ProbedMedia } from '../engine/probe/probed-media.ts';
import { ExportError } from '../errors.ts';
import { NICENESS } from '../platform/process-priority.ts';
import type { Seconds } from '../time.ts';
import { type ChildAllowance, childLimits } from './host/child-limits.ts';
import type { LaunchOptions } from './host/launch-options.ts';
import type { SandboxMode } from './jail/sandbox-mode.ts';
import { launchRenderChild, type RenderChild } from './render-child.ts';

/** How to run render children; the same for all of them. */
export interface RenderHostOptions {
  readonly mode: SandboxMode;
  readonly allowance: ChildAllowance;
  readonly mediaLimits: MediaLimits;
  readonly cgroups?: LaunchOptions['cgroups'];
  /** Whether children run with a niceness, if their tasks have one. */
  readonly useNiceness?: boolean | undefined;
  readonly onChildEnded?: LaunchOptions['onEnded'];
  readonly log?: LaunchOptions['log'];
}

/** One child: its inputs, its folder, and the length of the video it will work on. */
export interface ChildTask {
  readonly inputs: readonly string[];
  readonly workDir: string;
  /** A folder whose files it may read, including files that are added later, but not change. */
  readonly lentDir?: string | undefined;
  readonly duration: Seconds;
  /** Less time than the duration would allow. */
  readonly budgetMs?: number | undefined;
  /** The longest file it may write, where that is less than a video. */
  readonly fileBytes?: number | undefined;
  /** The niceness of the child; 0 if absent. */
  readonly niceness?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a probe: the facts, or why the file cannot be used. */
export type Probed = ProbedMedia | ExportError;

/**
 * The limits of a child depend on seconds of video. A file to probe counts for this much: 5 s at the default allowance.
 */
const SECONDS_A_FILE_COUNTS_FOR = 1 / 8;

const MAX_STARTS = 3;

/** Starts render children, all with the same options. */
export class RenderHost {
  readonly mediaLimits: MediaLimits;
  readonly #options: RenderHostOptions;

  constructor(options: RenderHostOptions) {
    this.#options = options;
    this.mediaLimits = options.mediaLimits;
  }

  /** A child for one export. The caller owns it. */
  open({ inputs, workDir, lentDir, duration, budgetMs, fileBytes, niceness, signal }: ChildTask): Promise<RenderChild> {
    const { mode, allowance, useNiceness = false, cgroups, onChildEnded: onEnded, log } = this.#options;
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
      niceness: useNiceness ? niceness : undefined,
      signal,
      cgroups,
      onEnded,
      log,
    });
  }

  /**
   * Probes files, one after the other, in one child. A file that cannot be used is an error in the results. A file that
   * ends the child is blamed for it, after a second try if the child crashed, and a new child probes the rest.
   */
  async probe(task: Omit<ChildTask, 'duration' | 'budgetMs'>): Promise<Probed[]> {
    const results: Probed[] = [];
    let suspect = -1;
    // One budget for all children of one request, however often they are replaced: other requests wait meanwhile.
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
          // The first crash may be chance: the machine ran out of memory, or a process was killed from outside.
          const chance = error.code === 'render.crashed' && suspect !== results.length;
          if (chance) suspect = results.length;
          else results.push(alive ? error : fatal(error));
        }
      }
    }
    return results;
  }

  /** A child that does not start says nothing about the files; a job would be tried as often. (C35) */
  async #openAgain(task: ChildTask): Promise<RenderChild> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.open(task);
      } catch (error) {
        const isChance = error instanceof ExportError && error.code === 'render.start_failed';
        if (!isChance || tries === MAX_STARTS) throw error;
      }
    }
  }
}

/** After these the child is gone. */
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
  const message = 'Probing the files of this request took too long; this file was not probed.';
  return new ExportError('invalid', 'render.over_budget', message);
}

/** If every child ends at a file, the file is at fault. (C34) */
function fatal(cause: ExportError): ExportError {
  const message = 'The file is damaged and cannot be probed.';
  return new ExportError('invalid', 'media.unreadable', message, { cause });
}
