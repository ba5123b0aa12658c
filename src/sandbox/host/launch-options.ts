import type { Issue } from '../../errors.ts';
import type { RenderCgroups } from '../cgroup/render-cgroups.ts';
import type { OperationProgress } from '../channel/operation.ts';
import type { SandboxMode } from '../jail/sandbox-mode.ts';
import type { ChildLimits } from './child-limits.ts';

/** The options of a new child. */
export interface LaunchOptions {
  readonly mode: SandboxMode;
  /** Absolute paths of every file it may read besides its own program; fixed for its life. */
  readonly inputs: readonly string[];
  /** An empty folder, the only one it may write to: directly, and plain files only. Emptied when the child fails. */
  readonly workDir: string;
  /** A folder whose files it may read, including files that are added later, but not change. */
  readonly lentDir?: string | undefined;
  readonly limits: ChildLimits;
  /** The niceness of the child, so that other processes of the machine come first; 0 if absent. */
  readonly niceness?: number | undefined;
  /** Ends the child at once and empties the folder. */
  readonly signal?: AbortSignal | undefined;
  /** Where it gets its own cgroup; without, only the watchdog and the process limits bound it. */
  readonly cgroups?: RenderCgroups | undefined;
  /** Called with the code of the child's end, also after a normal close. */
  readonly onEnded?: ((code: string) => void) | undefined;
  /** Called with the active layers of the jail, and with the reason if the child ends without being closed. */
  readonly log?: ((message: string, detail: unknown) => void) | undefined;
}

/** The options of one request. */
export interface RequestOptions {
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
  readonly onWarning?: ((issue: Issue) => void) | undefined;
  /** Ends the whole child: a request that stops halfway leaves it in an unknown state. */
  readonly signal?: AbortSignal | undefined;
}
