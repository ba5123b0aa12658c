import { signal } from '@preact/signals';

/** How loud this page is; what is exported knows nothing of it. */
export const isMuted = signal(false);
