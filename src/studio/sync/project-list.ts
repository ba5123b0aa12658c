import { signal } from '@preact/signals';
import { type ProjectList, TiercutError } from '../../../packages/client/src/client.ts';
import { titleOf } from '../document/template.ts';
import { newProjectId, projectId } from '../keeping/autosave.ts';
import type { KeptProject, Remote } from '../keeping/kept-project.ts';
import { listProjects, readProject, removeProject, restoreProject, saveBeside } from '../keeping/project-store.ts';
import { service } from '../session/service.ts';
import { hasService } from '../session/service-state.ts';
import { edit } from '../session/session.ts';
import * as board from '../texts/en/board.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';
import { addCopy, openFromService } from './start-sync.ts';
import { HOST } from './sync-state.ts';

type StoredProject = ProjectList['projects'][number];

/** A project in the list: in this browser, on the service, or both. */
export interface ListedProject {
  readonly key: string;
  readonly name: string;
  readonly atMs: number;
  readonly here: KeptProject | null;
  readonly stored: StoredProject | null;
}

export const listed = signal<readonly ListedProject[]>([]);
/** Why the list lacks the projects of the service; null if it has them. */
export const listFault = signal<string | null>(null);

/** Merges both lists, the newest first. */
function mergedList(kept: readonly KeptProject[], stored: readonly StoredProject[]): readonly ListedProject[] {
  const byId = new Map(stored.map((project) => [project.project_id, project]));
  const here = kept.map((project): ListedProject => {
    const there = byId.get(project.remote?.id ?? '') ?? null;
    byId.delete(project.remote?.id ?? '');
    const name = titleOf(project.project) ?? page.untitled;
    return { key: project.id, name, atMs: project.changedAtMs, here: project, stored: there };
  });
  const there = [...byId.values()].map((project): ListedProject => {
    return {
      key: project.project_id,
      name: project.name,
      atMs: Date.parse(project.saved_at),
      here: null,
      stored: project,
    };
  });
  return [...here, ...there].filter(({ key }) => key !== deleted.value?.key).sort((a, b) => b.atMs - a.atMs);
}

let known: readonly StoredProject[] = [];

export async function refreshList(): Promise<void> {
  listed.value = mergedList(await listProjects(), known);
  if (!hasService) return;
  try {
    known = (await service.projects.list({ limit: 100 })).projects;
    listFault.value = null;
  } catch (error) {
    listFault.value = error instanceof TiercutError ? error.message : texts.noResponse(HOST);
  }
  listed.value = mergedList(await listProjects(), known);
}

export async function renameListed({ here, stored }: ListedProject, name: string): Promise<void> {
  if (here?.id === projectId.value) {
    edit(board.renameProject, (draft) => {
      draft.tier_list.title = name;
    });
  } else if (here !== null) {
    const project = { ...here.project, tier_list: { ...here.project.tier_list, title: name } };
    await restoreProject({ ...here, project, changedAtMs: Date.now() });
  } else if (stored !== null) await changeStored(stored.project_id, stored.project_id, name);
  await refreshList();
}

export async function duplicateListed({ here, stored, name }: ListedProject): Promise<void> {
  if (here !== null) await addCopy(here.project);
  else if (stored !== null) await changeStored(stored.project_id, newProjectId(), texts.copyOf(name));
  await refreshList();
}

/** Saves a stored project with another title on the service, in place or as a copy with the id `to`. */
async function changeStored(from: string, to: string, title: string): Promise<void> {
  const { project, etag } = await service.projects.get(from);
  const renamed = { ...project, tier_list: { ...project.tier_list, title } };
  await service.projects.save(to, renamed, from === to ? { etag } : {});
}

/** The project deleted last while the list is open: hidden now, deleted when the list closes. */
export const deleted = signal<ListedProject | null>(null);

/** Hides a project. Until the list closes, it can be restored with its revisions and links. */
export async function deleteListed(project: ListedProject): Promise<void> {
  await finishDeleting();
  deleted.value = project;
  await refreshList();
}

export async function undeleteListed(): Promise<void> {
  deleted.value = null;
  await refreshList();
}

/** Deletes the hidden project, wherever it is stored. */
export async function finishDeleting(): Promise<void> {
  const { here, stored } = deleted.value ?? { here: null, stored: null };
  deleted.value = null;
  // First on the service: if it does not respond, nothing is deleted.
  if (stored !== null) await service.projects.delete(stored.project_id);
  if (here !== null) await removeProject(here.id);
}

export async function openListed(
  { here, stored }: ListedProject,
  reopen: (id: string) => Promise<void>,
): Promise<void> {
  if (here !== null) await reopen(here.id);
  else if (stored !== null) await openFromService(stored.project_id);
}

/** A link to the open project. */
export interface ShareLink {
  readonly id: string;
  readonly atMs: number;
  /** Its URL in the studio; null if another browser created it, since the service returns a secret only once. */
  readonly url: string | null;
}

export const shareLinks = signal<readonly ShareLink[] | null>(null);

export async function refreshLinks(): Promise<void> {
  const remote = await remoteHere();
  if (remote === null) return;
  const { links } = await service.projects.links(remote.id);
  shareLinks.value = links.map(({ link_id: id, created_at: at }) => {
    const secret = remote.secrets?.[id];
    return { id, atMs: Date.parse(at), url: secret === undefined ? null : addressOf(secret) };
  });
}

export async function addLink(): Promise<void> {
  const remote = await remoteHere();
  if (remote === null) return;
  const { link_id: id, url } = await service.projects.share(remote.id);
  const secrets = { ...remote.secrets, [id]: url.split('/').at(-1)! };
  await saveBeside(projectId.value, { remote: { ...remote, secrets } });
  await refreshLinks();
}

export async function revokeLink(id: string): Promise<void> {
  const remote = await remoteHere();
  if (remote !== null) await service.projects.revoke(remote.id, id);
  await refreshLinks();
}

async function remoteHere(): Promise<Remote | null> {
  return (await readProject(projectId.value))?.remote ?? null;
}

/** The secret is in the fragment, which browsers do not send. */
function addressOf(secret: string): string {
  return `${location.origin}/studio#shared=${secret}`;
}
