import { later } from '../../kit/later.tsx';

/** What records reveals. It is loaded by the time that a recording runs. */
export const recorder = later(() => import('./record-reveals.ts'));
