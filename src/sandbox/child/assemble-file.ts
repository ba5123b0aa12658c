import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assemble } from '../../engine/encode/assemble.ts';
import type { OperationContext } from '../channel/operation.ts';
import type { RenderOperations } from './render-operations.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * The child's side of `assemble`. Copying hours of video to a slow disk outlasts the watchdog's patience, so the bytes
 * written to the work folder are reported as progress.
 */
export async function assembleFile(
  params: RenderOperations['assemble']['params'],
  { signal, progress }: OperationContext,
): Promise<RenderOperations['assemble']['result']> {
  const folder = dirname(params.out);
  const before = await bytesIn(folder);
  const total = await bytesOf([...params.chunkFiles, params.audioFile]);
  const look = async () => progress({ done: Math.max(0, (await bytesIn(folder)) - before), total });
  const timer = setInterval(() => look().catch(() => {}), LOOK_EVERY_MS);
  try {
    return { bytes: await assemble({ ...params, signal }) };
  } finally {
    clearInterval(timer);
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  return bytesOf(names.map((name) => join(folder, name)));
}

async function bytesOf(files: readonly string[]): Promise<number> {
  // A file may be renamed between being listed and being looked at.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
