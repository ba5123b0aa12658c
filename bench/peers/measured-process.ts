import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;
/** Of processor time in /proc: a hundredth of a second on every Linux there is. */
const TICKS_PER_SECOND = 100;

/**
 * The cost of a process, measured from outside and so in the same way for all. Only Linux reports more than the time.
 */
export interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/**
 * Runs a program to its end.
 * @throws if it fails, with its last output.
 */
export async function measureProcess(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Cost> {
  const [begun, cpuBefore] = [performance.now(), reapedCpuSeconds()];
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, residentPeakMegabytes(child.pid!));
  }, LOOK_EVERY_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${said}`);
  const wallSeconds = (performance.now() - begun) / 1000;
  return { wallSeconds, cpuSeconds: reapedCpuSeconds() - cpuBefore, peakMegabytes };
}

/** Of all our children that have ended, and theirs. */
function reapedCpuSeconds(): number {
  const text = readOrNothing('/proc/self/stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

function residentPeakMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readOrNothing(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) / 1024;
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
