import { NO_STEPS, type Steps } from '../document/history.ts';
import type { Project } from '../document/project.ts';
import { sharingRows, withVersion } from '../document/versions.ts';
import type { KeptProject } from './kept-project.ts';
import { releaseReserve } from './reserve.ts';

type StoreName = 'projects' | 'last';

let database: Promise<IDBDatabase | null> | null = null;

/** Null if the browser has no database (some private windows). */
function openDatabase(): Promise<IDBDatabase | null> {
  database ??= withReserve(() => {
    const opening = indexedDB.open('tiercut-studio', 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('projects', { keyPath: 'id' });
      opening.result.createObjectStore('last');
    };
    return resultOf(opening);
  }).catch(() => null);
  return database;
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Once a transaction is on the disk: a full storage may show only there. */
function ended(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error);
  });
}

/** Undefined, too, without a database. */
async function read<T>(store: StoreName, ask: (from: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const db = await openDatabase();
  return db === null ? undefined : resultOf(ask(db.transaction(store).objectStore(store)));
}

async function changeProjects(change: (projects: IDBObjectStore) => unknown): Promise<void> {
  const transaction = (await openDatabase())?.transaction('projects', 'readwrite');
  if (transaction === undefined) return;
  change(transaction.objectStore('projects'));
  await ended(transaction);
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
    const saved = ended(change);
    const projects = change.objectStore('projects');
    const asked: IDBRequest<KeptProject | undefined> = projects.get(id);
    asked.onsuccess = () => {
      const before = asked.result;
      // The page saved while closing, before the worker did.
      if (before !== undefined && before.changedAtMs > nowMs) return;
      const shared = sharingRows(project, before?.versions.at(-1)?.project);
      const versions = withVersion(before?.versions ?? [], shared, nowMs);
      projects.put({ ...before, id, changedAtMs: nowMs, project: shared, versions, steps });
      change.objectStore('last').put(id, 'last');
    };
    await saved;
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
  const save = () =>
    changeProjects((projects) => {
      const asked: IDBRequest<KeptProject | undefined> = projects.get(id);
      asked.onsuccess = () => {
        const before = asked.result;
        const remote = beside.remote && { ...before?.remote, ...beside.remote };
        if (before !== undefined) projects.put({ ...before, ...beside, ...(remote && { remote }) });
      };
    });
  // Without storage, a reload loses it.
  await withReserve(save).catch(() => {});
}

/** A project to store, or its thumbnail. */
export type Keepable = { readonly id: string } & (
  | { readonly project: Project; readonly nowMs: number; readonly steps: Steps }
  | Required<Pick<KeptProject, 'picture'>>
);

export async function keep(wanted: Keepable): Promise<Saving> {
  if ('project' in wanted) return saveProject(wanted.id, wanted.project, wanted.nowMs, wanted.steps);
  await saveBeside(wanted.id, { picture: wanted.picture });
  return 'saved';
}

export async function readProject(id: string): Promise<KeptProject | null> {
  return (await read<KeptProject | undefined>('projects', (from) => from.get(id)).catch(() => null)) ?? null;
}

/** The project that was used last; null on a first visit. */
export async function lastProject(): Promise<KeptProject | null> {
  const id = await read<unknown>('last', (from) => from.get('last')).catch(() => null);
  return typeof id === 'string' ? readProject(id) : null;
}

/** All projects, the newest first. */
export async function listProjects(): Promise<readonly KeptProject[]> {
  const all = (await read<KeptProject[]>('projects', (from) => from.getAll()).catch(() => null)) ?? [];
  return all.sort((a, b) => b.changedAtMs - a.changedAtMs);
}

export function removeProject(id: string): Promise<void> {
  return changeProjects((projects) => projects.delete(id));
}

/** Puts a project back into the list. */
export function restoreProject(kept: KeptProject): Promise<void> {
  return changeProjects((projects) => projects.put(kept));
}
