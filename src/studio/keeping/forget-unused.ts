import { hashesIn, NO_STEPS } from '../document/history.ts';
import type { Project } from '../document/project.ts';
import { forgetMediaBut } from '../media/media-store.ts';
import { decided } from '../session/session.ts';
import type { KeptProject } from './kept-project.ts';
import { forgetParts } from './part-folder.ts';
import { listProjects } from './project-store.ts';

/** Deletes media that no project of this browser uses, in any version, and old parts of videos. */
export async function forgetUnused(): Promise<void> {
  await forgetParts().catch(() => {});
  const kept = await listProjects();
  if (kept.length === 0) return;
  const all = [decided.value, ...kept.flatMap(projectsIn)];
  const used = all.flatMap(({ studio }) => [
    ...Object.values(studio.media).map(({ hash }) => hash),
    ...Object.keys(studio.table?.files ?? {}),
  ]);
  await forgetMediaBut(new Set([...used, ...kept.flatMap(({ steps = NO_STEPS }) => hashesIn(steps))]));
}

function projectsIn({ project, versions }: KeptProject): Project[] {
  return [project, ...versions.map((version) => version.project)];
}
