import { signal } from '@preact/signals';
import { projectId } from '../keeping/autosave.ts';
import { type Remote, readProject, saveBeside } from '../keeping/project-store.ts';
import { service } from '../service/service.ts';

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
