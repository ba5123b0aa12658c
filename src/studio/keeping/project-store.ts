import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { NO_STEPS, type Steps } from '../document/history.ts';
import type { Project } from '../document/project.ts';
import { sharingRows, withVersion } from '../document/versions.ts';
import type { KeptProject } from './kept-project.ts';
import { releaseReserve } from './reserve.ts';

interface Schema extends DBSchema {
  readonly projects: { readonly key: string; readonly value: KeptProject };
  readonly last: { readonly key: 'last'; readonly value: string };
}

let database: Promise<IDBPDatabase<Schema> | null> | null = null;

/** Null if the browser has no database (some private windows). */
function openDatabase(): Promise<IDBPDatabase<Schema> | null> {
  database ??= withReserve(() =>
    openDB<Schema>('tiercut-studio', 1, {
      upgrade(db) {
        db.createObjectStore('projects', { keyPath: 'id' });
        db.createObjectStore('last');
      },
    }),
  ).catch(() => null);
  return database;
}

/** Repeats work that fails while the storage is full, with the space of the reserve. */
async function withReserve<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(await releaseReserve())) throw error;
    return work();
  }
}

/** The result of a save. `full`: there is no space. `never`: this browser has no database. */
export type Saving = 'saved' | 'full' | 'never';

export async function saveProject(
  id: string,
  project: Project,
  nowMs: number,
  steps: Steps = NO_STEPS,
): Promise<Saving> {
  const db = await openDatabase();
  if (db === null) return 'never';
  const save = async () => {
    const change = db.transaction(['projects', 'last'], 'readwrite');
    const projects = change.objectStore('projects');
    const before = await projects.get(id);
    // The page saved while closing, before the worker did.
    if (before !== undefined && before.changedAtMs > nowMs) return;
    const shared = sharingRows(project, before?.versions.at(-1)?.project);
    const versions = withVersion(before?.versions ?? [], shared, nowMs);
    await Promise.all([
      projects.put({ ...before, id, changedAtMs: nowMs, project: shared, versions, steps }),
      change.objectStore('last').put(id, 'last'),
      change.done,
    ]);
  };
  return withReserve(save).then(
    () => 'saved',
    () => 'full',
  );
}

/** Stores more with a saved project: its export or batch (null removes it), its state on the service, its thumbnail. */
export async function saveBeside(
  id: string,
  beside: Pick<KeptProject, 'made' | 'batch' | 'remote' | 'picture'>,
): Promise<void> {
  const db = await openDatabase();
  const save = async () => {
    const change = db?.transaction('projects', 'readwrite');
    const before = await change?.store.get(id);
    const remote = beside.remote && { ...before?.remote, ...beside.remote };
    if (before !== undefined) await change?.store.put({ ...before, ...beside, ...(remote && { remote }) });
    await change?.done;
  };
  // Without storage, a reload loses it.
  await withReserve(save).catch(() => {});
}

export async function readProject(id: string): Promise<KeptProject | null> {
  return (await (await openDatabase())?.get('projects', id).catch(() => null)) ?? null;
}

/** The project that was used last; null on a first visit. */
export async function lastProject(): Promise<KeptProject | null> {
  const id = await (await openDatabase())?.get('last', 'last').catch(() => null);
  return typeof id === 'string' ? readProject(id) : null;
}

/** All projects, the newest first. */
export async function listProjects(): Promise<readonly KeptProject[]> {
  const all = (await (await openDatabase())?.getAll('projects').catch(() => null)) ?? [];
  return all.sort((a, b) => b.changedAtMs - a.changedAtMs);
}

export async function removeProject(id: string): Promise<void> {
  await (await openDatabase())?.delete('projects', id);
}

/** Puts a project back into the list. */
export async function restoreProject(kept: KeptProject): Promise<void> {
  await (await openDatabase())?.put('projects', kept);
}
