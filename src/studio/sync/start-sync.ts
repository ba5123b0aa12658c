import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { effect } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { usedFiles } from '../document/episode-table.ts';
import type { MediaEntry, Project } from '../document/project.ts';
import { titleOf } from '../document/template.ts';
import { writtenProject } from '../document/written-project.ts';
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
import type { Remote } from '../keeping/kept-project.ts';
import { listProjects, readProject, restoreProject, saveBeside } from '../keeping/project-store.ts';
import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { examine } from '../media/import-files.ts';
import { keepOrHold, mediaFile } from '../media/media-store.ts';
import { thumbCame } from '../media/thumb.tsx';
import { service, uploadMedia } from '../session/service.ts';
import { allCame, decided, edit } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';
import { drawPicture } from './project-picture.ts';
import { ProjectSync, StaleRevision, type SyncPort, type Theirs } from './project-sync.ts';
import { asked, HOST, syncState } from './sync-state.ts';

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
  const title = texts.copyOf(titleOf(project) ?? page.untitled);
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
  await startProject(project, { id });
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

/** The service of this page, for one project. Requests are retried until it responds. */
function servicePort(projectId: string, remote: Remote): SyncPort {
  const { id } = remote;
  let drawn: Project['tier_list'] | null = null;
  return {
    async save(project, etag, signal) {
      const hashes = new Set(filesOf(project).map(({ hash }) => hash));
      const known = await service.known([...hashes], { signal });
      for (const hash of hashes) {
        const file = await mediaFile(hash);
        // A file that is missing here is already on the service, or arrives later.
        if (file !== null) await uploadMedia(hash, file, { signal, known });
      }
      const { etag: saved } = await service.projects
        .save(id, wireProject(project), { ...(etag !== null && { etag }), signal })
        .catch((error: unknown) => {
          throw isStale(error) ? new StaleRevision() : error;
        });
      if (drawn !== project.tier_list) {
        drawn = project.tier_list;
        const picture = await drawPicture(project);
        if (picture !== null) await service.projects.setThumbnail(id, picture, { signal }).catch(() => null);
      }
      return saved;
    },
    tag: async (signal) => (await orNull(service.projects.revisions(id, { signal })))?.revisions[0]?.etag ?? null,
    read: (signal) => readTheirs(id, signal),
    digest: async (project) => digestOf(wireProject(project)),
    remember: (known) => saveBeside(projectId, { remote: known }),
    show: replaceProject,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Files stored on the service. */
const ofService: MediaOrigin = (sha256, signal) => service.bytes(sha256, { signal });

/** The stored project; null if there is none. */
async function readTheirs(id: string, signal: AbortSignal): Promise<Theirs | null> {
  const stored = await orNull(service.projects.get(id, { signal }));
  if (stored === null) return null;
  const { revisions } = await service.projects.revisions(id, { signal });
  const project = await readStored(stored.project, ofService, signal);
  const savedAtMs = Date.parse(revisions.find(({ etag }) => etag === stored.etag)?.saved_at ?? '') || Date.now();
  return { project, etag: stored.etag, savedAtMs, digest: digestOf(stored.project) };
}

/** Makes one undo step, so that the previous project is not lost. */
function replaceProject(next: Project): void {
  edit(texts.theirChanges, (draft) => {
    delete draft.template;
    Object.assign(draft, next);
  });
}

function isStale(error: unknown): boolean {
  return error instanceof TiercutError && (error.status === 412 || error.status === 428);
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof TiercutError && error.status === 404) return null;
    throw error;
  });
}

/** The facts of all files that travel with a project: of its fields, and of the cells of its table. */
function filesOf({ studio }: Project): readonly MediaEntry[] {
  return [...Object.values(studio.media), ...usedFiles(studio.table)];
}

/** A project as the service stores it: the project file with `media_refs`. (C76) */
function wireProject(project: Project) {
  const references = Object.entries(project.studio.media).map(([field, { hash }]) => [field, hash] as const);
  const media_refs: Readonly<Record<string, string>> = Object.fromEntries(references);
  return { ...writtenProject(project), media_refs };
}

function digestOf(document: object): string {
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(document))));
}

/** Returns the bytes of a file by their SHA-256. */
type MediaOrigin = (sha256: string, signal: AbortSignal) => Promise<Blob>;

const reader = later(() => import('./read-wire-project.ts'));

/** A stored project with the facts of its files. @throws ExportError if it is not a project. */
async function readStored(
  document: Readonly<Record<string, unknown>>,
  origin: MediaOrigin,
  signal: AbortSignal,
): Promise<Project> {
  const { project, unknown } = (await reader()).readWireProject(document);
  const media: Record<string, MediaEntry> = { ...project.studio.media };
  for (const [field, hash] of Object.entries(unknown)) {
    const found = await fetchOne(hash, origin, signal);
    if (found !== null) media[field] = { ...found, name: field };
  }
  return { ...project, studio: { ...project.studio, media } };
}

/**
 * Fetches the files of a project that this browser lacks, the smallest first, so that pictures come before clips. A file that cannot be
 * fetched stays missing, and the studio reports it at its entry.
 */
async function fetchAbsent(project: Project, origin: MediaOrigin, signal: AbortSignal): Promise<void> {
  const bySize = filesOf(project).toSorted((a, b) => a.bytes - b.bytes);
  for (const hash of new Set(bySize.map((entry) => entry.hash))) {
    if ((await mediaFile(hash)) === null) await fetchOne(hash, origin, signal);
    if (signal.aborted) return;
  }
}

/** null if it cannot be fetched or has the wrong content. */
async function fetchOne(
  hash: string,
  origin: MediaOrigin,
  signal: AbortSignal,
): Promise<Omit<MediaEntry, 'name'> | null> {
  try {
    const file = await origin(hash, signal);
    const found = await examine(file);
    if ('fault' in found || found.hash !== hash) return null;
    await keepOrHold(hash, file, found.thumb);
    thumbCame(hash, found.facts.kind, found.thumb);
    return { ...found.facts, hash, bytes: file.size, type: '' };
  } catch {
    return null;
  }
}
