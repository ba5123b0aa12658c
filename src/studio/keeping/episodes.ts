import { episodeOf } from '../document/template-commands.ts';
import { decided, face } from '../session/session.ts';
import { projectId, startProject } from './autosave.ts';
import { listProjects, readProject } from './project-store.ts';

/** Starts an episode of the open template, or one more of the template that the open episode is of. */
export async function startEpisode(): Promise<void> {
  const open = decided.value;
  const of = open.template?.episode?.of ?? projectId.value;
  const template = of === projectId.value ? open : ((await readProject(of))?.project ?? open);
  if (template.template === undefined) return;
  const all = await listProjects();
  const episodes = all.filter(({ project }) => project.template?.episode?.of === of).map(({ project }) => project);
  await startProject(episodeOf(template, of, episodes), {
    view: () => {
      face.value = 'preview';
    },
  });
}
