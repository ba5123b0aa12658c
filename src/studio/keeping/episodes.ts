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

/** Whether the open project is an episode that still has the items of its template. They are examples until the episode has its own. */
export async function hasItemsOfTemplate(): Promise<boolean> {
  const { template, tier_list } = decided.value;
  if (template?.episode === undefined || tier_list.items.length === 0) return false;
  const of = await readProject(template.episode.of);
  if (of === null) return false;
  const listed = ({ items, rows }: typeof tier_list) =>
    JSON.stringify([items, rows.map(({ item_ids = [] }) => item_ids)]);
  return listed(of.project.tier_list) === listed(tier_list);
}
