import { batch, computed, effect, signal } from '@preact/signals';
import { NO_STEPS, type Steps } from '../document/history.ts';
import { EMPTY_PROJECT, type Project } from '../document/project.ts';
import { startWorker } from '../kit/assets.ts';
import { later } from '../kit/later.tsx';
import { commitTyped, typing } from '../kit/typing.ts';
import { keepHeld, keeping } from '../media/media-store.ts';
import { decided, keptSteps, openProject, readOnly, untouched } from '../session/session.ts';
import type { KeepOrder, KeepReply } from './keeping-worker.ts';
import type { KeptProject } from './kept-project.ts';
import {
  type Keepable,
  keep,
  lastProject,
  listProjects,
  readProject,
  removeProject,
  type Saving,
  saveProject,
} from './project-store.ts';

/** The id of the open project. */
export const projectId = signal<string>('');
export const lock = signal<LockState>('held');
/** Whether the project is saved. */
const saved = signal<Saving | 'saving'>('saved');

/**
 * Where the work is. `saved`, `saving`: in this browser. `tab`: in this tab only, because the browser stores nothing for the page.
 * `full`: in this tab only, because there is no space.
 */
export const kept = computed(() => {
  if (keeping.value === 'memory' || saved.value === 'never') return 'tab';
  if (keeping.value === 'full') return 'full';
  return typing.value > 0 && saved.value === 'saved' ? 'saving' : saved.value;
});

const unused = later(() => import('./forget-unused.ts'));

/** Changes are saved after this pause, so a crash loses little more. */
const PAUSE_MS = 300;

/** Whether the project to show is known. */
export const opened = signal(false);

let lastSaved: Project | null = null;
let pending: ReturnType<typeof setTimeout> | null = null;

/**
 * Opens the last project, or an empty one on a first visit, and saves every change from then on.
 *
 * @param openLink opens a shared project instead, if the URL has a link.
 */
export async function startKeeping(openLink: (() => Promise<boolean>) | null = null): Promise<void> {
  const isLooking = openLink !== null && (await openLink());
  const last = isLooking ? null : await lastProject();
  if (last !== null) await switchTo(last.id, last.project, last.steps);
  // An empty project of another tab is nothing to wait for.
  const isTaken = readOnly.value && untouched.value;
  if (!isLooking && (last === null || isTaken)) await switchTo(newProjectId(), EMPTY_PROJECT);
  opened.value = true;
  effect(() => {
    const project = decided.value;
    if (project === lastSaved || readOnly.value) return;
    if (saved.value === 'saved') saved.value = 'saving';
    if (pending !== null) clearTimeout(pending);
    pending = setTimeout(saveNow, PAUSE_MS, saveInWorker);
  });
  // Save pending changes when the page closes.
  addEventListener('visibilitychange', () => {
    // Not in a worker, which would end with the page.
    if (document.visibilityState === 'hidden') void saveNow();
  });
  addEventListener('pagehide', () => void saveNow());
  if (last !== null) await (await unused()).forgetUnused();
}

export async function saveNow(save = saveProject): Promise<void> {
  commitTyped();
  if (pending !== null) clearTimeout(pending);
  pending = null;
  const project = decided.value;
  if (readOnly.value || project === lastSaved) return keepHeld();
  const outcome = await save(projectId.value, project, Date.now(), keptSteps());
  if (outcome === 'saved') lastSaved = project;
  if (decided.value === project) saved.value = outcome;
  if (outcome === 'saved') await keepHeld();
}

let worker: Worker | null = null;
let saves = 0;

function saveInWorker(id: string, project: Project, nowMs: number, steps: Steps = NO_STEPS): Promise<Saving> {
  return order({ id, project, nowMs, steps });
}

/** Stores the thumbnail of a project for the list. */
export async function savePicture(id: string, picture: Blob): Promise<void> {
  await order({ id, picture });
}

/** Saves in the worker; in the page if the worker does not load, as after an update of the service. */
function order(wanted: Keepable): Promise<Saving> {
  worker ??= startWorker('keeping-worker');
  const asked = worker;
  saves += 1;
  const number = saves;
  return new Promise((resolve) => {
    const answered = new AbortController();
    const { signal } = answered;
    asked.addEventListener(
      'message',
      ({ data }: MessageEvent<KeepReply>) => {
        if (data.number !== number) return;
        answered.abort();
        resolve(data.outcome);
      },
      { signal },
    );
    const saveHere = () => {
      answered.abort();
      if (worker === asked) worker = null;
      resolve(keep(wanted));
    };
    asked.addEventListener('error', saveHere, { signal });
    asked.postMessage({ number, ...wanted } satisfies KeepOrder);
  });
}

/** Switches to another project; the current one is saved first. */
async function switchTo(id: string, project: Project, steps: Steps = NO_STEPS, view?: () => void): Promise<void> {
  if (projectId.value !== '') await saveNow();
  if (lock.value === 'shared') forgetLink();
  // A project in which nothing was done is not kept beside the others.
  const left = untouched.value && !readOnly.value && projectId.value !== id ? projectId.value : '';
  // If the project is already open, its lock is kept: after a release it would not be free at once.
  const again = id === projectId.value && lock.value === 'held';
  projectId.value = id;
  if (!again) await holdLock(false);
  lastSaved = project;
  if (!readOnly.value && saved.value === 'saved') saved.value = 'saving';
  batch(() => {
    openProject(project, steps);
    view?.();
  });
  if (readOnly.value) return;
  const outcome = await saveProject(id, project, Date.now(), steps);
  if (outcome === 'saved' && left !== '') await removeProject(left);
  // Changes made meanwhile are saved separately, and update the state when they are.
  if (decided.value === project) saved.value = outcome;
}

interface Start {
  readonly id?: string;
  /** Sets what the page shows first, at the moment the project opens: later it could override what the user does by then. */
  readonly view?: () => void;
}

/** Starts a new project, from a file or empty. */
export async function startProject(project: Project = EMPTY_PROJECT, start: Start = {}): Promise<void> {
  const { id = newProjectId(), view } = start;
  await switchTo(id, project, NO_STEPS, view);
}

/** Shows a shared project, read-only and not stored. */
export async function showShared(project: Project): Promise<void> {
  await saveNow();
  releaseLock();
  projectId.value = '';
  lock.value = 'shared';
  readOnly.value = true;
  lastSaved = project;
  openProject(project);
  opened.value = true;
}

/** Takes the link of a shared project out of the address: a reload opens what is open then. */
export function forgetLink(): void {
  history.replaceState(null, '', location.pathname + location.search);
}

/** A UUID; works on insecure origins too. */
export function newProjectId(): string {
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export async function reopen(id: string): Promise<void> {
  const kept = await readProject(id);
  if (kept !== null) await switchTo(kept.id, kept.project, kept.steps);
}

/** Takes the lock from another tab, which becomes read-only, and opens what it saved last. */
export async function takeOver(): Promise<void> {
  await holdLock(true);
  const kept = await readProject(projectId.value);
  if (kept === null) return;
  lastSaved = kept.project;
  openProject(kept.project, kept.steps);
}

async function holdLock(steal: boolean): Promise<void> {
  lock.value = await lockProject(projectId.value, steal, () => {
    lock.value = 'lost';
    readOnly.value = true;
  });
  readOnly.value = lock.value !== 'held';
}

/** Only one tab can edit a project at a time. */

/** `lost`: another tab has taken it over. `shared`: a project opened by a link. */
type LockState = 'held' | 'elsewhere' | 'lost' | 'shared';

let release: (() => void) | null = null;

function releaseLock(): void {
  release?.();
  release = null;
}

/**
 * Takes the lock of a project and releases the current one.
 *
 * @param steal takes it from another tab.
 * @param onLost called when another tab takes it.
 */
async function lockProject(id: string, steal: boolean, onLost: () => void): Promise<LockState> {
  releaseLock();
  // Without locks (an insecure origin) there is no storage either, and nothing to protect.
  if (navigator.locks === undefined) return 'held';
  return new Promise((resolve) => {
    const options: LockOptions = steal ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(`tiercut-project-${id}`, options, (lock) => {
        if (lock === null) {
          resolve('elsewhere');
          return;
        }
        resolve('held');
        return new Promise<void>((done) => {
          release = done;
        });
      })
      .catch(onLost);
  });
}

/** The projects in this browser, as of the last look. */
export const keptProjects = signal<readonly KeptProject[]>([]);

export async function lookAgain(): Promise<void> {
  keptProjects.value = await listProjects();
}
