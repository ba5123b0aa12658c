import { later } from '../kit/later.tsx';

const fetched = later(() => import('./example.ts'));

/** Starts the example. Its code is fetched on demand. */
export async function startExample(): Promise<void> {
  await (await fetched()).startExample();
}

/** Draws the missing files of every project that is opened from now on. */
export async function drawWhatIsComing(): Promise<void> {
  (await fetched()).drawWhatIsComing();
}
