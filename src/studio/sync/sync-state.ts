import { signal } from '@preact/signals';
import type { SyncState } from './project-sync.ts';

/** The service that keeps projects, as a person knows it. */
export const HOST = globalThis.location?.host ?? '';

/** How the open project is kept on the service; null: it stays in this browser. */
export const syncState = signal<SyncState | null>(null);

/** Which question about the open project is asked. */
export const asked = signal<'projects' | 'keep' | 'leave' | 'conflict' | 'share' | null>(null);
