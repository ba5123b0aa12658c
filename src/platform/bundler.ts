import type { build } from 'esbuild';

let borrowers = 0;

/** Lends the bundler. It is a process of its own, which goes with the last who needs it: where it is used once a start, it would only stay. */
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
