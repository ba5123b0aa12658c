import type { Project } from '../document/project.ts';
import { startExample } from '../example/start-example.ts';
import { chooseFiles } from '../files/choose-files.ts';
import { lock, projectId, reopen, startProject } from '../keeping/autosave.ts';
import { openProjectFile, saveProjectFile, saveProjectZip } from '../keeping/files-of-projects.ts';
import { removeProject } from '../keeping/project-store.ts';
import { Icon } from '../kit/icon.tsx';
import { MenuItem } from '../kit/menu.tsx';
import { say } from '../kit/messages.ts';
import { Radios } from '../kit/radios.tsx';
import { developer } from '../session/developer.ts';
import { decided, openProject } from '../session/session.ts';
import { keepOnService } from '../sync/start-sync.ts';
import { asked, syncState } from '../sync/sync-state.ts';
import { WORDS } from '../sync/words.ts';
import { keptProjects, lookAgain } from './kept-projects.ts';
import { mayLeave } from './projects/keep-dialogs.tsx';
import { when } from './projects/when.ts';
import { theme } from './theme.ts';

const STUDIO_THEME = 'Theme of the studio';
const DEVELOPER_HELP = 'Shows entries as JSON, exports as curl, units of numbers and the encoder.';

/** What can be done with projects: this one, others, files. */
export function ProjectLines() {
  const here = keptProjects.value.find(({ id }) => id === projectId.value);
  const others = keptProjects.value.filter(({ id }) => id !== projectId.value);
  return (
    <>
      {lock.value === 'held' && <KeepLines />}
      <MenuItem onClick={() => ask('projects')}>
        <Icon name="folder" />
        All projects …
      </MenuItem>
      <MenuItem onClick={() => void startProject()}>
        <Icon name="plus" />
        New project
      </MenuItem>
      <MenuItem onClick={() => void startExample()}>
        <Icon name="reveal" />
        Open the example
      </MenuItem>
      <MenuItem
        onClick={() =>
          chooseFiles('.json,.zip,application/json,application/zip', ([file]) => file && openProjectFile(file))
        }
      >
        <Icon name="folder" />
        Open a project file …
      </MenuItem>
      <hr />
      <MenuItem onClick={() => void saveProjectZip()}>
        <Icon name="download" />
        Save with its media (.zip)
      </MenuItem>
      <MenuItem onClick={() => void saveProjectFile()}>
        <Icon name="download" />
        Save project.json only
      </MenuItem>
      {others.length > 0 && (
        <>
          <hr />
          <p class="menu-title">In this browser</p>
          <ul class="kept-list">
            {others.slice(0, 8).map(({ id, project: other, changedAtMs }) => (
              <li key={id}>
                <button type="button" class="mi" data-closes onClick={() => void reopen(id)}>
                  <span>{other.tier_list.title?.trim() || 'Untitled'}</span>
                  <small>{when(changedAtMs)}</small>
                </button>
                <button
                  type="button"
                  class="ib"
                  aria-label={`Remove ${other.tier_list.title ?? 'Untitled'}`}
                  title="Remove from this browser"
                  onClick={() => void removeProject(id).then(lookAgain)}
                >
                  <Icon name="trash" />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {here !== undefined && here.versions.length > 1 && (
        <details class="versions">
          <summary>
            <Icon name="right" />
            Earlier versions
          </summary>
          <ul>
            {[...here.versions].reverse().map(({ atMs, project: then }) => (
              <li key={atMs}>
                <button
                  type="button"
                  class="mi"
                  data-closes
                  onClick={() => {
                    openProject(withLooks(then, decided.value.studio));
                    say('This is the earlier version. The one before is still in the list.');
                  }}
                >
                  <span>{when(atMs)}</span>
                  <small>{then.tier_list.items.length} items</small>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <hr />
      <p class="menu-title" aria-hidden="true">
        {STUDIO_THEME}
      </p>
      <Radios
        label={STUDIO_THEME}
        class="menu-row"
        each="pick"
        value={theme.value}
        choices={[
          { value: 'auto', words: 'System' },
          { value: 'dark', words: 'Dark' },
          { value: 'light', words: 'Light' },
        ]}
        onChoose={(chosen) => {
          theme.value = chosen;
        }}
      />
      <label class="mi" title={DEVELOPER_HELP}>
        <input
          type="checkbox"
          checked={developer.value}
          onChange={(event) => {
            developer.value = event.currentTarget.checked;
          }}
        />
        Developer tools
      </label>
    </>
  );
}

/** Where the open project is kept, and who may look at it. */
function KeepLines() {
  const isKept = syncState.value !== null;
  return (
    <>
      <Radios
        label="Where the project is kept"
        class="menu-row"
        each="pick"
        value={isKept ? 'service' : 'browser'}
        choices={[
          { value: 'browser', words: WORDS.local },
          { value: 'service', words: WORDS.kept },
        ]}
        onChoose={(place) => {
          if (place === 'service' && !isKept) {
            if (mayLeave()) void keepOnService();
            else ask('keep');
          } else if (place === 'browser' && isKept) ask('leave');
        }}
      />
      <MenuItem disabled={!isKept} onClick={() => ask('share')}>
        <Icon name="export" />
        {isKept ? 'Share …' : WORDS.shareNeeds}
      </MenuItem>
      <hr />
    </>
  );
}

function ask(what: NonNullable<typeof asked.value>): void {
  asked.value = what;
}

/** What was said of the project's looks need not be said again of an earlier version. */
function withLooks(then: Project, { looks = 1 }: Project['studio']): Project {
  return { ...then, studio: { ...then.studio, looks } };
}
