import type { Project } from '../document/project.ts';
import { startExample } from '../example/start-example.ts';
import { chooseFiles } from '../files/take-files.ts';
import { keptProjects, lock, lookAgain, projectId, reopen, startProject } from '../keeping/autosave.ts';
import { openProjectFile, saveProjectFile, saveProjectZip } from '../keeping/files-of-projects.ts';
import { removeProject } from '../keeping/project-store.ts';
import { Icon, IconButton } from '../kit/icon.tsx';
import { MenuItem } from '../kit/menu.tsx';
import { say } from '../kit/messages.ts';
import { Radios } from '../kit/radios.tsx';
import { when } from '../kit/shown-values.ts';
import { decided, developer, openProject } from '../session/session.ts';
import { keepOnService } from '../sync/start-sync.ts';
import { asked, HOST, syncState } from '../sync/sync-state.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/projects.ts';
import { mayLeave } from './keep-dialogs.tsx';
import { theme } from './page-look.ts';

/** The menu items for projects: this one, others, files. */
export function ProjectLines() {
  const here = keptProjects.value.find(({ id }) => id === projectId.value);
  const others = keptProjects.value.filter(({ id }) => id !== projectId.value);
  return (
    <>
      {lock.value === 'held' && <KeepLines />}
      <MenuItem onClick={() => ask('projects')}>
        <Icon name="folder" />
        {texts.allProjects}
      </MenuItem>
      <MenuItem onClick={() => void startProject()}>
        <Icon name="plus" />
        {texts.newProject}
      </MenuItem>
      <MenuItem onClick={() => void startExample()}>
        <Icon name="reveal" />
        {texts.openExample}
      </MenuItem>
      <MenuItem
        onClick={() =>
          chooseFiles('.json,.zip,application/json,application/zip', ([file]) => file && openProjectFile(file))
        }
      >
        <Icon name="folder" />
        {texts.openProjectFile}
      </MenuItem>
      <hr />
      <MenuItem onClick={() => void saveProjectZip()}>
        <Icon name="download" />
        {texts.saveZip}
      </MenuItem>
      <MenuItem onClick={() => void saveProjectFile()}>
        <Icon name="download" />
        {texts.saveJson}
      </MenuItem>
      {others.length > 0 && (
        <>
          <hr />
          <p class="menu-title">{texts.inThisBrowser}</p>
          <ul class="kept-list">
            {others.slice(0, 8).map(({ id, project: other, changedAtMs }) => (
              <li key={id}>
                <button type="button" class="mi" data-closes onClick={() => void reopen(id)}>
                  <span>{other.tier_list.title?.trim() || page.untitled}</span>
                  <small>{when(changedAtMs)}</small>
                </button>
                <IconButton
                  icon="trash"
                  label={texts.removeProject(other.tier_list.title?.trim() || page.untitled)}
                  title={texts.removeFromBrowser}
                  onClick={() => void removeProject(id).then(lookAgain)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {here !== undefined && here.versions.length > 1 && (
        <details class="versions">
          <summary>
            <Icon name="right" />
            {texts.earlierVersions}
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
                    say(texts.versionOpened);
                  }}
                >
                  <span>{when(atMs)}</span>
                  <small>{texts.items(then.tier_list.items.length)}</small>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <hr />
      <p class="menu-title" aria-hidden="true">
        {texts.studioTheme}
      </p>
      <Radios
        label={texts.studioTheme}
        class="menu-row"
        each="pick"
        value={theme.value}
        choices={[
          { value: 'auto', words: texts.systemTheme },
          { value: 'dark', words: texts.darkTheme },
          { value: 'light', words: texts.lightTheme },
        ]}
        onChoose={(chosen) => {
          theme.value = chosen;
        }}
      />
      <label class="mi" title={texts.developerHelp}>
        <input
          type="checkbox"
          checked={developer.value}
          onChange={(event) => {
            developer.value = event.currentTarget.checked;
          }}
        />
        {texts.developerTools}
      </label>
    </>
  );
}

/** Where the open project is stored, and who may view it. */
function KeepLines() {
  const isKept = syncState.value !== null;
  return (
    <>
      <Radios
        label={texts.wherePlaced}
        class="menu-row"
        each="pick"
        value={isKept ? 'service' : 'browser'}
        choices={[
          { value: 'browser', words: page.staysInBrowser },
          { value: 'service', words: texts.keptOn(HOST) },
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
        {isKept ? texts.share : texts.shareNeeds(HOST)}
      </MenuItem>
      <hr />
    </>
  );
}

function ask(what: NonNullable<typeof asked.value>): void {
  asked.value = what;
}

/** An earlier version keeps the current `looks`, so that the notice is not shown again. */
function withLooks(then: Project, { looks = 1 }: Project['studio']): Project {
  return { ...then, studio: { ...then.studio, looks } };
}
