import { signal } from '@preact/signals';

/** Whether this page is muted. It does not affect the export. */
export const isMuted = signal(false);
