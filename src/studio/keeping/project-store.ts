import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Project } from '../document/project.ts';
import { type Version, withVersion } from '../document/versions.ts';

/** A project as it is kept in this browser. */
export interface KeptProject {
  readonly id: string;
  readonly changedAtMs: number;
  readonly project: Project;
  readonly versions: readonly Version[];
  /** The export that was made of it last. */
  readonly made?: KeptExport | null;
}

/** What the service calls an export, and what it was made of. */
interface KeptExport {
  readonly exportId: string;
  readonly project: Project;
}

interface Schema extends DBSchema {
  readonly projects: { readonly key: string; readonly value: KeptProject };
  readonly last: { readonly key: 'last'; readonly value: string };
}

let database: Promise<IDBPDatabase<Schema> | null> | null = null;

/** Null where the browser has none for us (some private windows). */
function openDatabase(): Promise<IDBPDatabase<Schema> | null> {
  database ??= openDB<Schema>('tiercut-studio', 1, {
    upgrade(db) {
      db.createObjectStore('projects', { keyPath: 'id' });
      db.createObjectStore('last');
    },
  }).catch(() => null);
  return database;
}

/** @returns false where it could not be kept. */
export async function saveProject(id: string, project: Project, nowMs: number): Promise<boolean> {
  try {
    const db = await openDatabase();
    if (db === null) return false;
    const change = db.transaction(['projects', 'last'], 'readwrite');
    const projects = change.objectStore('projects');
    const before = await projects.get(id);
    // A page on its way out was quicker than the worker that had been asked before.
    if (before !== undefined && before.changedAtMs > nowMs) return true;
    const versions = withVersion(before?.versions ?? [], project, nowMs);
    await Promise.all([
      projects.put({ ...before, id, changedAtMs: nowMs, project, versions }),
      change.objectStore('last').put(id, 'last'),
      change.done,
    ]);
    return true;
  } catch {
    return false;
  }
}

/** Keeps with a project what export there is of it; null: none any more. Where nothing can be kept, nothing is. */
export async function saveExport(id: string, made: KeptExport | null): Promise<void> {
  try {
    const change = (await openDatabase())?.transaction('projects', 'readwrite');
    const before = await change?.store.get(id);
    if (before !== undefined) await change?.store.put({ ...before, made });
    await change?.done;
  } catch {
    // It is picked up after no reload, and is at the service all the same.
  }
}

export async function readProject(id: string): Promise<KeptProject | null> {
  return (await (await openDatabase())?.get('projects', id).catch(() => null)) ?? null;
}

/** The project that was worked on last; null on a first visit. */
export async function lastProject(): Promise<KeptProject | null> {
  const id = await (await openDatabase())?.get('last', 'last').catch(() => null);
  return typeof id === 'string' ? readProject(id) : null;
}

/** All there are, the newest first. */
export async function listProjects(): Promise<readonly KeptProject[]> {
  const all = (await (await openDatabase())?.getAll('projects').catch(() => null)) ?? [];
  return all.sort((a, b) => b.changedAtMs - a.changedAtMs);
}

export async function removeProject(id: string): Promise<void> {
  await (await openDatabase())?.delete('projects', id);
}
