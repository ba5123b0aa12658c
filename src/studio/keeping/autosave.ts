import { effect, signal } from '@preact/signals';
import { NO_STEPS, type Steps } from '../document/history.ts';
import { EMPTY_PROJECT, type Project } from '../document/project.ts';
import { startWorker } from '../kit/assets.ts';
import { later } from '../kit/later.tsx';
import { decided, keptSteps, openProject, playhead, posterAt, readOnly } from '../session/session.ts';
import type { Keepable, KeepOrder, KeepReply } from './keeping-worker.ts';
import { type LockState, lockProject, releaseLock } from './project-lock.ts';
import { lastProject, readProject, saveProject } from './project-store.ts';

/** Which project is open, and how it is kept. */
export const projectId = signal<string>('');
export const lock = signal<LockState>('held');
/** `never`: this browser keeps nothing for us. */
export const saved = signal<'saved' | 'saving' | 'never'>('saved');

const unused = later(() => import('./forget-unused.ts'));

const FIRST_FRAME = 480;
/** A pause in the changes; nobody loses more than this. */
const PAUSE_MS = 300;

/** Whether it is known which project is to be seen. */
export const opened = signal(false);

let lastSaved: Project | null = null;
let pending: ReturnType<typeof setTimeout> | null = null;

/**
 * Opens what was open last, or the first project of all, and keeps every change from now on.
 *
 * @param openLink shows somebody else's project instead, if it can.
 */
export async function startKeeping(
  first: () => Project,
  openLink: (() => Promise<boolean>) | null = null,
): Promise<void> {
  const isLooking = openLink !== null && (await openLink());
  const last = isLooking ? null : await lastProject();
  if (last === null && !isLooking) {
    await switchTo(newProjectId(), first());
    // A moment at which there is something to see.
    if (decided.value.timeline_data.tier_blocks.length > 0) posterAt.value = playhead.value = FIRST_FRAME;
  }
  if (last !== null) await switchTo(last.id, last.project, last.steps);
  opened.value = true;
  effect(() => {
    const project = decided.value;
    if (project === lastSaved || readOnly.value) return;
    saved.value = saved.value === 'never' ? 'never' : 'saving';
    if (pending !== null) clearTimeout(pending);
    pending = setTimeout(saveNow, PAUSE_MS, saveInWorker);
  });
  // What is not yet saved when the page goes is saved on the way out.
  addEventListener('visibilitychange', () => {
    // Not by a worker, which would go with the page.
    if (document.visibilityState === 'hidden') void saveNow();
  });
  addEventListener('pagehide', () => void saveNow());
  if (last !== null) await (await unused()).forgetUnused();
}

export async function saveNow(save = saveProject): Promise<void> {
  if (pending !== null) clearTimeout(pending);
  pending = null;
  const project = decided.value;
  if (readOnly.value || project === lastSaved) return;
  const kept = await save(projectId.value, project, Date.now(), keptSteps());
  if (kept) lastSaved = project;
  if (decided.value === project) saved.value = kept ? 'saved' : 'never';
}

let worker: Worker | null = null;
let saves = 0;

function saveInWorker(id: string, project: Project, nowMs: number, steps: Steps = NO_STEPS): Promise<boolean> {
  return order({ id, project, nowMs, steps });
}

/** Keeps the picture of a project, for the list of projects. */
export async function savePicture(id: string, picture: Blob): Promise<void> {
  await order({ id, picture });
}

function order(wanted: Keepable): Promise<boolean> {
  worker ??= startWorker('keeping-worker');
  const asked = worker;
  saves += 1;
  const number = saves;
  return new Promise((resolve) => {
    const answered = new AbortController();
    asked.addEventListener(
      'message',
      ({ data }: MessageEvent<KeepReply>) => {
        if (data.number !== number) return;
        answered.abort();
        resolve(data.kept);
      },
      { signal: answered.signal },
    );
    asked.postMessage({ number, ...wanted } satisfies KeepOrder);
  });
}

/** Goes on with another project; the one before is saved first. */
async function switchTo(id: string, project: Project, steps: Steps = NO_STEPS): Promise<void> {
  if (projectId.value !== '') await saveNow();
  // The lock of the project that is open is not let go for it: it would be free a moment later only.
  const again = id === projectId.value && lock.value === 'held';
  projectId.value = id;
  if (!again) await holdLock(false);
  lastSaved = project;
  if (!readOnly.value && saved.value === 'saved') saved.value = 'saving';
  openProject(project, steps);
  if (readOnly.value) return;
  const kept = await saveProject(id, project, Date.now(), steps);
  // What was changed meanwhile is on its way by itself, and says so until it is there.
  if (decided.value === project) saved.value = kept ? 'saved' : 'never';
}

/** A project of its own, from a file or from nothing. */
export async function startProject(project: Project = EMPTY_PROJECT, id = newProjectId()): Promise<void> {
  await switchTo(id, project);
}

/** Shows a project of somebody else, which is not kept and cannot be changed. */
export async function lookAt(project: Project): Promise<void> {
  await saveNow();
  releaseLock();
  projectId.value = '';
  lock.value = 'shared';
  readOnly.value = true;
  lastSaved = project;
  openProject(project);
  opened.value = true;
}

/** A UUID, on addresses that are not secure too. */
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

/** Works on it here; the other tab may only look from then on. What it saved last is what is opened. */
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
