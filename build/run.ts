/**
 * The program of a clone: what was built from its sources, built first if they have changed. Where nothing can be built
 * (a read-only clone, a full disk, only what runs is installed), the last build runs. A service does not wait for its
 * studio, which is built in a process of its own meanwhile.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { restartWithLessMemory } from '../src/cli/start-frugally.ts';
import { lowerPriority, NICENESS } from '../src/platform/process-priority.ts';

const CURRENT = join(import.meta.dirname, '..', 'built', 'current');
const AGAIN_MS = 60_000;

const [, , command] = process.argv;
const program = join(await build(), 'main.js');
// A service starts it again by this name.
process.argv[1] = program;
await import(pathToFileURL(program).href);

async function build(): Promise<string> {
  try {
    const { built, builtPrograms, hasStudio, presentBuild } = await import('./built.ts');
    if (command === 'studio') return await built();
    const folder = presentBuild();
    const isMissing = command === 'serve' && !hasStudio(folder);
    // A restart later would forget the process that builds.
    if (isMissing) restartWithLessMemory();
    await builtPrograms(folder);
    if (isMissing) buildBeside(folder);
    return folder;
  } catch (error) {
    // An error in the sources has no code.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !existsSync(CURRENT)) throw error;
    process.stderr.write(`The sources have changed and cannot be built, so the last build runs: ${message}\n`);
    return realpathSync(CURRENT);
  }
}

function startStudio(folder: string): ChildProcess {
  const builder = spawn(process.execPath, [join(import.meta.dirname, 'build-studio.ts'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A session of its own, whose priority is its own.
    detached: true,
    windowsHide: true,
  });
  // The service comes first.
  if (builder.pid !== undefined) lowerPriority(builder.pid, NICENESS.frame);
  builder.unref();
  return builder;
}

/**
 * Builds the studio beside the service. An error in the sources ends the service, in order and with code 1; a full disk or
 * a process that the system killed only delays the studio.
 */
function buildBeside(folder: string): void {
  const builder = startStudio(folder);
  const kill = () => builder.kill();
  process.once('exit', kill);
  builder.once('error', tryAgain);
  builder.once('exit', (code) => {
    process.off('exit', kill);
    if (code === 1) fail();
    else if (code !== 0) tryAgain();
  });
  function tryAgain(): void {
    setTimeout(buildBeside, AGAIN_MS, folder).unref();
  }
}

function fail(): void {
  process.once('exit', () => {
    process.exitCode = 1;
  });
  process.kill(process.pid, 'SIGTERM');
}
