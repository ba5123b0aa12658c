import { project } from '../session.ts';
import { Icon } from './icon.tsx';
import { lookAgain } from './kept-projects.ts';
import { shownLater } from './later.tsx';
import { Menu } from './menu.tsx';

const ProjectLines = shownLater(async () => (await import('../late-parts.ts')).ProjectLines);

/** Which project this is, others, and files. */
export function ProjectMenu() {
  const title = project.value.tier_list.title?.trim() || 'Untitled';
  return (
    <Menu
      class="bt pname"
      onOpen={lookAgain}
      button={
        <>
          <span>{title}</span>
          <Icon name="down" />
        </>
      }
    >
      <ProjectLines />
    </Menu>
  );
}
