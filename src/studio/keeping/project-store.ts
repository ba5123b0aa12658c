import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { NO_STEPS, type Steps } from '../document/history.ts';
import type { Project } from '../document/project.ts';
import { type Version, withVersion } from '../document/versions.ts';

/** A project as it is kept in this browser. */
export interface KeptProject {
  readonly id: string;
  readonly changedAtMs: number;
  readonly project: Project;
  readonly versions: readonly Version[];
  /** What undo and redo lead to from this project. Saved with it, so that the two always fit. */
  readonly steps?: Steps;
  /** The export that was made of it last. */
  readonly made?: KeptExport | null;
  /** What is known of the project on the service; null or absent: it stays in this browser. */
  readonly remote?: Remote | null;
  /** For lists. */
  readonly picture?: Blob;
}

/** A project on the service, as it was known last. (C76) */
export interface Remote {
  /** Its id there. */
  readonly id: string;
  /** The tag of the revision that the project here was made from; null: nothing is stored yet. */
  readonly etag: string | null;
  /** The digest of the project here that equals that revision. */
  readonly clean: string | null;
  /** The digest of what was sent last without a response. */
  readonly sent: string | null;
  /** The secrets of its links, by their ids: the service returns each of them once. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** What the service calls an export, and what it was made of. */
interface KeptExport {
  readonly exportId: string;
  readonly project: Project;
  /** The presets that were asked for; absent: all of them. */
  readonly formats?: readonly string[];
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
export async function saveProject(
  id: string,
  project: Project,
  nowMs: number,
  steps: Steps = NO_STEPS,
): Promise<boolean> {
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
      projects.put({ ...before, id, changedAtMs: nowMs, project, versions, steps }),
      change.objectStore('last').put(id, 'last'),
      change.done,
    ]);
    return true;
  } catch {
    return false;
  }
}

/** Keeps more with a project that is kept: its export (null: none any more), its place on the service, its picture. */
export async function saveBeside(id: string, beside: Pick<KeptProject, 'made' | 'remote' | 'picture'>): Promise<void> {
  try {
    const change = (await openDatabase())?.transaction('projects', 'readwrite');
    const before = await change?.store.get(id);
    const remote = beside.remote && { ...before?.remote, ...beside.remote };
    if (before !== undefined) await change?.store.put({ ...before, ...beside, ...(remote && { remote }) });
    await change?.done;
  } catch {
    // Where nothing can be kept, the page goes without it after a reload.
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

/** Puts a project into the list as it was. */
export async function restoreProject(kept: KeptProject): Promise<void> {
  await (await openDatabase())?.put('projects', kept);
}
