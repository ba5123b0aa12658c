import { later } from '../kit/later.tsx';

const fetched = later(() => import('./example.ts'));

/** What draws the example is fetched when it is wanted. */
export async function startExample(): Promise<void> {
  await (await fetched()).startExample();
}

/** From now on, whatever is still to come in the project that is open is drawn. */
export async function drawWhatIsComing(): Promise<void> {
  (await fetched()).drawWhatIsComing();
}
