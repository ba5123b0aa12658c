import { readFile } from 'node:fs/promises';
import { descendantsOf } from '../../test/service/process-tree.ts';

/** Memory of a process and of all its descendants; shared memory counts once. Only on Linux. */
export async function treeMegabytes(pid: number): Promise<number> {
  const all = await Promise.all([pid, ...descendantsOf(pid)].map(proportionalMegabytes));
  return all.reduce((sum, one) => sum + one, 0);
}

async function proportionalMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
}
