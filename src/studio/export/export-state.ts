import { signal } from '@preact/signals';

/** Whether the panel is open; what renders goes on without it. */
export const exportOpen = signal(false);
