import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { project } from '../session/session.ts';
import * as texts from '../texts/en/page.ts';
import { lookAgain } from './kept-projects.ts';

const ProjectLines = shownLater(async () => (await import('./project-lines.tsx')).ProjectLines);

/** The menu of the open project, other projects and files. */
export function ProjectMenu() {
  const title = project.value.tier_list.title?.trim() || texts.untitled;
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
