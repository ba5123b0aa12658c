import { effect } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import type { Project } from '../document/project.ts';
import {
  lock,
  newProjectId,
  projectId,
  reopen,
  saveNow,
  savePicture,
  showShared,
  startProject,
} from '../keeping/autosave.ts';
import { listProjects, type Remote, readProject, restoreProject, saveBeside } from '../keeping/project-store.ts';
import { say } from '../kit/messages.ts';
import { service } from '../service/service.ts';
import { allCame, decided } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';
import { fetchAbsent, readStored } from './fetch-media.ts';
import { drawPicture } from './project-picture.ts';
import { ProjectSync } from './project-sync.ts';
import { ofService, readTheirs, servicePort } from './service-port.ts';
import { asked, HOST, syncState } from './sync-state.ts';
import { digestOf, wireProject } from './wire-project.ts';

let sync: ProjectSync | null = null;
let leaving = new AbortController();

/** Starts to sync every project that is opened from now on and is kept on the service. */
export function startSync(): void {
  effect(() => {
    const id = projectId.value;
    const isOurs = lock.value === 'held';
    leave();
    if (id !== '' && isOurs) void resume(id, leaving.signal);
  });
  effect(() => {
    const project = decided.value;
    if (project.studio.coming === undefined) sync?.changed(project);
  });
  effect(drawLater);
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void sync?.look();
  });
  addEventListener('online', () => void sync?.look());
  addEventListener('hashchange', () => void openLink());
}

function leave(): void {
  leaving.abort();
  leaving = new AbortController();
  sync?.close();
  sync = null;
  syncState.value = null;
  asked.value = null;
}

async function resume(id: string, signal: AbortSignal): Promise<void> {
  const remote = (await readProject(id))?.remote ?? null;
  if (remote !== null && !signal.aborted) await begin(id, remote);
}

async function begin(id: string, remote: Remote): Promise<void> {
  leave();
  const { signal } = leaving;
  syncState.value = { step: 'changed' };
  try {
    await allCame(signal);
  } catch {
    return;
  }
  sync = new ProjectSync(remote, decided.value, servicePort(id, remote), (state) => {
    syncState.value = state;
  });
  await sync.look();
  await fetchAbsent(decided.value, ofService, signal);
}

/** Keeps the open project on the service too, from now on. */
export async function keepOnService(): Promise<void> {
  const id = projectId.value;
  // An earlier release used other ids on insecure origins.
  const remote = { id: /^[0-9a-f-]{36}$/.test(id) ? id : newProjectId(), etag: null, clean: null, sent: null };
  await saveNow();
  await saveBeside(id, { remote });
  await begin(id, remote);
}

/** Keeps the project in this browser only, from now on. @param removes whether to delete it on the service. */
export async function stayInBrowser(removes: boolean): Promise<void> {
  const id = projectId.value;
  const remote = (await readProject(id))?.remote;
  // Its files may be nowhere else.
  if (removes) await fetchAbsent(decided.value, ofService, leaving.signal);
  leave();
  await saveBeside(id, { remote: null });
  if (removes && remote != null)
    await service.projects.delete(remote.id).catch(() => say(texts.noResponse(HOST), 'bad'));
}

export async function tryAgain(): Promise<void> {
  await sync?.look();
}

export async function keepMine(): Promise<void> {
  asked.value = null;
  await sync?.keepMine();
}

export async function keepTheirs(): Promise<void> {
  asked.value = null;
  await sync?.keepTheirs();
  await fetchAbsent(decided.value, ofService, leaving.signal);
}

/** Copies the local version into a new project, and takes the service's revision. */
export async function keepBoth(): Promise<void> {
  await addCopy(decided.value);
  await keepTheirs();
  say(texts.copyInList);
}

/** Adds a copy of a project to the list. */
export async function addCopy(project: Project): Promise<void> {
  const title = texts.copyOf(project.tier_list.title?.trim() || page.untitled);
  const copy = { ...project, tier_list: { ...project.tier_list, title } };
  const picture = await drawPicture(copy);
  await restoreProject({
    id: newProjectId(),
    changedAtMs: Date.now(),
    project: copy,
    versions: [],
    ...(picture !== null && { picture }),
  });
}

/** Opens a project of the service. If this browser has it too, the local one is opened and synced. */
export async function openFromService(id: string): Promise<void> {
  const here = (await listProjects()).find(({ remote }) => remote?.id === id);
  if (here !== undefined) return reopen(here.id);
  const theirs = await readTheirs(id, new AbortController().signal);
  if (theirs === null) return say(texts.deletedOn(HOST), 'bad');
  const { project, etag } = theirs;
  const remote: Remote = { id, etag, clean: digestOf(wireProject(project)), sent: null };
  await startProject(project, id);
  await saveBeside(id, { remote });
  await begin(id, remote);
}

/** Opens the project of a share link in the URL. @returns whether it was opened. */
export async function openLink(): Promise<boolean> {
  const secret = /^#shared=([\w-]+)$/.exec(location.hash)?.[1];
  if (secret === undefined) return false;
  const { signal } = new AbortController();
  try {
    const origin = (sha256: string) => service.projects.sharedBytes(secret, sha256, { signal });
    const { project: stored } = await service.projects.shared(secret, { signal });
    const project = await readStored(stored, origin, signal);
    await showShared(project);
    void fetchAbsent(project, origin, signal);
    return true;
  } catch (error) {
    const isDead = error instanceof TiercutError && error.status === 404;
    say(isDead || !(error instanceof Error) ? texts.deadLink : error.message, 'bad');
    return false;
  }
}

/** Copies the shared project into a new one. */
export async function copyShared(): Promise<void> {
  history.replaceState(null, '', location.pathname);
  await startProject(decided.value);
  say(texts.copyMade);
}

const DRAW_AFTER_MS = 3000;
let drawing: ReturnType<typeof setTimeout> | undefined;

/** Updates the thumbnail in the list in idle time. */
function drawLater(): void {
  const { value: project } = decided;
  const { value: id } = projectId;
  clearTimeout(drawing);
  if (id === '' || lock.value !== 'held') return;
  drawing = setTimeout(async () => {
    const picture = await drawPicture(project);
    if (picture !== null && projectId.value === id) await savePicture(id, picture);
  }, DRAW_AFTER_MS);
}
