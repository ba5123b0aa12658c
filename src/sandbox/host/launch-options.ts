import type { Issue } from '../../errors.ts';
import type { RenderCgroups } from '../cgroup/render-cgroups.ts';
import type { OperationProgress } from '../channel/operation.ts';
import type { SandboxMode } from '../jail/sandbox-mode.ts';
import type { ChildLimits } from './child-limits.ts';

/** What a child is started with. */
export interface LaunchOptions {
  readonly mode: SandboxMode;
  /** Absolute paths of every file it will ever read beside its own program; fixed for its life. */
  readonly inputs: readonly string[];
  /** An empty folder, the only one it may write to: directly, and plain files only. Emptied when the child fails. */
  readonly workDir: string;
  /** A folder whose files it may read, whenever they are put there, and never change. */
  readonly lentDir?: string | undefined;
  readonly limits: ChildLimits;
  /** How far it stands back for whatever else runs on the machine; not at all if absent. */
  readonly niceness?: number | undefined;
  /** Ends the child, whatever it is doing, and empties the folder. */
  readonly signal?: AbortSignal | undefined;
  /** Where it gets a cgroup of its own; without, what the parent watches and the kernel's limits bound it. */
  readonly cgroups?: RenderCgroups | undefined;
  /** Its programs ready to run, which it reads and never writes; see `prepareCode`. */
  readonly codeDir?: string | undefined;
  /** Told by its code how the child ended, also where it was closed in the end as it should. */
  readonly onEnded?: ((code: string) => void) | undefined;
  /** Told what stands around the child, and why it ended if nobody closed it. */
  readonly log?: ((message: string, detail: unknown) => void) | undefined;
}

/** What goes with one request. */
export interface RequestOptions {
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
  readonly onWarning?: ((issue: Issue) => void) | undefined;
  /** Ends the whole child: nobody can tell what a half-done request leaves behind in it. */
  readonly signal?: AbortSignal | undefined;
}
