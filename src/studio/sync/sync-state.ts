import { signal } from '@preact/signals';
import type { SyncState } from './project-sync.ts';

/** The display name of the service that stores projects. */
export const HOST = globalThis.location?.host ?? '';

/** The sync state of the open project; null if it is in this browser only. */
export const syncState = signal<SyncState | null>(null);

/** The open dialog about the project. */
export const asked = signal<'projects' | 'keep' | 'leave' | 'conflict' | 'share' | 'link' | null>(null);
