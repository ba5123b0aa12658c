import type { build } from 'esbuild';

let borrowers = 0;

/**
 * Runs `use` with the bundler. The bundler is a separate process, which ends with its last user, because it is used
 * only at a start.
 */
export async function withBundler<T>(use: (bundle: typeof build) => Promise<T>): Promise<T> {
  const bundler = await import('esbuild');
  borrowers += 1;
  try {
    return await use(bundler.build);
  } finally {
    borrowers -= 1;
    if (borrowers === 0) await bundler.stop();
  }
}
