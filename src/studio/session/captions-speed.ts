import { remembered } from './remembered.ts';

/** Seconds of speech that the service transcribed in a second, when it did last; null if it never did. */
export const captionsSpeed = remembered<number | null>('tiercut-captions-speed', null, (kept) =>
  typeof kept === 'number' && kept > 0 && Number.isFinite(kept) ? kept : null,
);
