import { existsSync, realpathSync } from 'node:fs';
import { messageOf } from '../../errors.ts';
import { ALLOWED_CALLS } from './allowed-calls.ts';
import { type FileRule, landlockAbi, restrictFiles } from './landlock.ts';
import { jailArch, SystemCallError } from './libc.ts';
import { dropCapabilities, forbidNewPrivileges } from './privileges.ts';
import { renderRefusals } from './refusal-rules.ts';
import { limitResources, type ResourceLimits } from './resource-limits.ts';
import { runtimeFiles } from './runtime-files.ts';
import type { JailLayerName, JailReport } from './sandbox-mode.ts';
import { installFilter } from './seccomp.ts';

/** What one child may use. Paths are absolute; the child cannot open any other path, not even in the same folder. */
export interface JailTerms {
  /** The program that will run inside. */
  readonly entry: string;
  readonly inputs: readonly string[];
  /** The only folder it may write to: flat, plain files. */
  readonly workDir: string;
  /** It may read files that are added here while it runs, but not change them. */
  readonly lentDir?: string | undefined;
  /** Where its programs are, which it may read but not write: one render must not plant code for the next. */
  readonly codeDir?: string | undefined;
  readonly resources: ResourceLimits;
}

/**
 * Activates every jail layer of this machine for the calling thread and everything it executes. This cannot be undone,
 * and the other threads of the process are not jailed: execute another program at once.
 *
 * A layer that fails is reported, never thrown.
 */
export function enterJail(terms: JailTerms): JailReport {
  const layers: { name: JailLayerName; detail: string }[] = [];
  const missing: { name: JailLayerName; reason: string }[] = [];
  const putUp = (name: JailLayerName, build: () => string): void => {
    try {
      layers.push({ name, detail: build() });
    } catch (error) {
      missing.push({ name, reason: reasonOf(error) });
    }
  };

  putUp('rlimits', () => {
    requireCoveredMachine();
    limitResources(terms.resources);
    return `data ${mebibytes(terms.resources.dataBytes)}, file ${mebibytes(terms.resources.fileBytes)}, no core`;
  });
  putUp('landlock', () => {
    requireCoveredMachine();
    const abi = landlockAbi();
    if (abi === 0) throw new MissingFeature('the kernel has no Landlock, or has it switched off');
    const runtime = runtimeFiles(terms.entry);
    requireApart(terms.workDir, runtime);
    forbidNewPrivileges();
    restrictFiles(
      [
        ...runtime,
        ...[...terms.inputs, terms.lentDir, terms.codeDir]
          .filter((path) => path !== undefined)
          .map((path) => ({ path, grant: 'read' }) as const),
        { path: terms.workDir, grant: 'work' },
      ],
      abi,
    );
    return `ABI ${abi}`;
  });
  putUp('seccomp', () => {
    requireCoveredMachine();
    forbidNewPrivileges();
    dropCapabilities();
    installFilter({ allow: ALLOWED_CALLS, refuse: renderRefusals(process.pid) });
    return `${ALLOWED_CALLS.length} calls by name; no sockets, processes, signals or links; sealed against exec at start`;
  });
  return { layers, missing };
}

/** A machine that lacks something, in words for its operator. */
class MissingFeature extends Error {}

function requireCoveredMachine(): void {
  if (jailArch() === null) {
    throw new MissingFeature(`needs Linux on x64 or arm64; this is ${process.platform} on ${process.arch}`);
  }
}

/**
 * Uploads are near work folders: if these were among the program's own files, every render could read those of every
 * other.
 */
function requireApart(workDir: string, runtime: readonly FileRule[]): void {
  const folder = realpathSync(workDir);
  const around = runtime.find(({ path }) => existsSync(path) && folder.startsWith(`${realpathSync(path)}/`));
  if (around === undefined) return;
  throw new MissingFeature(`the data folder must lie apart from the program's own files in ${around.path}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof MissingFeature) return error.message;
  if (error instanceof SystemCallError) return `the kernel or a container's policy refused it: ${error.message}`;
  return messageOf(error);
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
