import type { Issue } from '../../errors.ts';
import type { Project } from '../document/project.ts';
import { selectionAt } from '../document/selection.ts';
import { titleOf } from '../document/template.ts';
import { startExample } from '../example/start-example.ts';
import { exportStep, isUnderWay, progressSamples, shareOf } from '../export/export-progress.ts';
import { chooseFiles } from '../files/take-files.ts';
import { keptProjects, lock, lookAgain, projectId, reopen, startProject } from '../keeping/autosave.ts';
import { openProjectFile, saveProjectFile, saveProjectZip } from '../keeping/files-of-projects.ts';
import { removeProject } from '../keeping/project-store.ts';
import { focusDetails, focusSoon } from '../keys/move-focus.ts';
import { Icon, IconButton } from '../kit/icon.tsx';
import { Menu, MenuItem } from '../kit/menu.tsx';
import { say } from '../kit/messages.ts';
import { Radios } from '../kit/radios.tsx';
import { when } from '../kit/shown-values.ts';
import { hasService } from '../session/service-state.ts';
import { decided, developer, edit, openProject, planned, project, selection } from '../session/session.ts';
import { showField } from '../session/shown-field.ts';
import { keepOnService } from '../sync/start-sync.ts';
import { asked, HOST, syncState } from '../sync/sync-state.ts';
import * as visit from '../texts/en/first-visit.ts';
import * as texts from '../texts/en/late.ts';
import * as page from '../texts/en/page.ts';
import { percent } from '../texts/en/page.ts';
import * as projectTexts from '../texts/en/projects.ts';
import * as series from '../texts/en/series.ts';
import { mayLeave } from './keep-dialogs.tsx';
import { theme } from './page-look.ts';

/** Says that a template or an episode is open; the tag of a template shows its fields. */
export function TemplateTag() {
  const { template } = project.value;
  if (template?.episode !== undefined) return <span class="bt tag-button">{series.episodeTag}</span>;
  return (
    <button
      type="button"
      class="bt tag-button"
      title={series.templateTitle}
      aria-pressed={selection.value.kind === 'none'}
      onClick={() => showField(null)}
    >
      {series.template}
    </button>
  );
}

/** The number of errors and warnings, with a link to each. */
export function IssuesMenu() {
  const { warnings } = planned.value;
  // An empty project is not an error: the page shows where to start, and Export what is missing.
  const errors = planned.value.errors.filter(({ code }) => code !== 'timeline.empty');
  if (errors.length + warnings.length === 0) return null;
  const words = errors.length > 0 ? texts.problems(errors.length) : texts.warnings(warnings.length);
  return (
    <Menu
      label={words}
      class={`bt plain ${errors.length > 0 ? 'isbad' : 'iswarn'}`}
      button={
        <>
          <Icon name={errors.length > 0 ? 'error' : 'warn'} />
          <span>{words}</span>
        </>
      }
    >
      <ul class="issue-list">
        {[...errors, ...warnings].slice(0, 50).map((issue, i) => (
          <li key={`${issue.path} ${issue.code} ${i}`}>
            <IssueLine issue={issue} bad={i < errors.length} />
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function IssueLine({ issue, bad }: { readonly issue: Issue; readonly bad: boolean }) {
  return (
    <button
      type="button"
      class={`issue ${bad ? 'isbad' : 'iswarn'}`}
      data-closes
      onClick={() => {
        selection.value = selectionAt(project.value, issue.path);
        focusDetails();
      }}
    >
      <Icon name={bad ? 'error' : 'warn'} />
      <span>{issue.message}</span>
    </button>
  );
}

/** The progress of a running export. */
export function ExportShare() {
  const now = exportStep.value;
  if (!isUnderWay(now)) return null;
  const share = now.step === 'made' ? shareOf(now.view) : (progressSamples.value.at(-1)?.share ?? 0);
  return <small class="num">{percent(Math.floor(share * 100))}</small>;
}

/** A template without fields yet: the panel offers what may become one. */
function makeTemplate(): void {
  edit(series.makeTemplateStep, (draft) => {
    draft.template = { name: draft.tier_list.title ?? '', fields: [], bound: {} };
  });
  showField(null);
}

/** The menu items for projects: this one, others, files. */
export function ProjectLines() {
  const here = keptProjects.value.find(({ id }) => id === projectId.value);
  const others = keptProjects.value.filter(({ id }) => id !== projectId.value);
  return (
    <>
      {lock.value === 'held' && (hasService ? <KeepLines /> : <NoKeeping />)}
      <MenuItem onClick={() => ask('projects')}>
        <Icon name="folder" />
        {visit.allProjects}
      </MenuItem>
      <MenuItem onClick={() => void startProject().then(() => focusSoon('.start'))}>
        <Icon name="plus" />
        {projectTexts.newProject}
      </MenuItem>
      {decided.value.template === undefined && (
        <MenuItem onClick={makeTemplate}>
          <Icon name="layout" />
          {series.makeTemplate}
        </MenuItem>
      )}
      <MenuItem onClick={() => void startExample()}>
        <Icon name="reveal" />
        {projectTexts.openExample}
      </MenuItem>
      <MenuItem
        onClick={() =>
          chooseFiles('.json,.zip,application/json,application/zip', ([file]) => file && openProjectFile(file))
        }
      >
        <Icon name="folder" />
        {projectTexts.openProjectFile}
      </MenuItem>
      <hr />
      <MenuItem onClick={() => void saveProjectZip()}>
        <Icon name="download" />
        {projectTexts.saveZip}
      </MenuItem>
      <MenuItem onClick={() => void saveProjectFile()}>
        <Icon name="download" />
        {projectTexts.saveJson}
      </MenuItem>
      {others.length > 0 && (
        <>
          <hr />
          <p class="menu-title">{projectTexts.inThisBrowser}</p>
          <ul class="kept-list">
            {others.slice(0, 8).map(({ id, project: other, changedAtMs }) => (
              <li key={id}>
                <button type="button" class="mi" data-closes onClick={() => void reopen(id)}>
                  <span>{titleOf(other) ?? page.untitled}</span>
                  <small>{when(changedAtMs)}</small>
                </button>
                <IconButton
                  icon="trash"
                  label={projectTexts.removeProject(titleOf(other) ?? page.untitled)}
                  title={projectTexts.removeFromBrowser}
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
            {projectTexts.earlierVersions}
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
                    say(projectTexts.versionOpened);
                  }}
                >
                  <span>{when(atMs)}</span>
                  <small>{projectTexts.items(then.tier_list.items.length)}</small>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
      <hr />
      <p class="menu-title" aria-hidden="true">
        {projectTexts.studioTheme}
      </p>
      <Radios
        label={projectTexts.studioTheme}
        class="menu-row"
        each="pick"
        value={theme.value}
        choices={[
          { value: 'auto', words: projectTexts.systemTheme },
          { value: 'dark', words: projectTexts.darkTheme },
          { value: 'light', words: projectTexts.lightTheme },
        ]}
        onChoose={(chosen) => {
          theme.value = chosen;
        }}
      />
      <label class="mi" title={projectTexts.developerHelp}>
        <input
          type="checkbox"
          checked={developer.value}
          onChange={(event) => {
            developer.value = event.currentTarget.checked;
          }}
        />
        {projectTexts.developerTools}
      </label>
    </>
  );
}

/** In place of it without a service. */
function NoKeeping() {
  return (
    <>
      <p class="menu-note">{projectTexts.onlyInBrowser}</p>
      <hr />
    </>
  );
}

/** Where the open project is stored, and who may view it. */
function KeepLines() {
  const isKept = syncState.value !== null;
  return (
    <>
      <Radios
        label={projectTexts.wherePlaced}
        class="menu-row"
        each="pick"
        value={isKept ? 'service' : 'browser'}
        choices={[
          { value: 'browser', words: page.staysInBrowser },
          { value: 'service', words: projectTexts.keptOn(HOST) },
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
        {isKept ? projectTexts.share : projectTexts.shareNeeds(HOST)}
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
