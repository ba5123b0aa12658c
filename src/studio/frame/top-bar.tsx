import { titleOf } from '../document/template.ts';
import { exportOpen, exportStep } from '../export/export-progress.ts';
import { chooseFiles, MEDIA_FILES, takeFiles } from '../files/take-files.ts';
import { kept, lock, lookAgain } from '../keeping/autosave.ts';
import { keysOpen } from '../keys/keys.ts';
import { studioConfig } from '../kit/assets.ts';
import { DrawerButtons } from '../kit/drawers.tsx';
import { Icon, IconButton, Logo } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { openTake } from '../session/open-take.ts';
import { planned, project, redo, redoLabel, selection, undo, undoLabel } from '../session/session.ts';
import { syncState } from '../sync/sync-state.ts';
import * as texts from '../texts/en/page.ts';

const SyncWord = shownLater(async () => (await import('./notices.tsx')).SyncWord);
const ExportOptions = shownLater(async () => (await import('../export/export-options.tsx')).ExportOptions);
const ExportShare = shownLater(async () => (await import('./top-bar-menus.tsx')).ExportShare);
const TemplateTag = shownLater(async () => (await import('./top-bar-menus.tsx')).TemplateTag);
const IssuesMenu = shownLater(async () => (await import('./top-bar-menus.tsx')).IssuesMenu);

export function TopBar() {
  return (
    <header class="top">
      <h1 class="unseen">{texts.studio}</h1>
      <a class="brand" href={studioConfig.home} aria-label={texts.studio}>
        <Logo />
        <span>{texts.brand}</span>
      </a>
      <span class="sep" />
      <ProjectMenu />
      <SavedWord />
      <div class="mid">
        <IconButton
          icon="undo"
          label={texts.undo}
          title={texts.undoHint(undoLabel.value)}
          disabled={undoLabel.value === null}
          onClick={undo}
        />
        <IconButton
          icon="redo"
          label={texts.redo}
          title={texts.redoHint(redoLabel.value)}
          disabled={redoLabel.value === null}
          onClick={redo}
        />
      </div>
      <div class="end">
        {project.value.template !== undefined && <TemplateTag />}
        {planned.value.errors.length + planned.value.warnings.length > 0 && <IssuesMenu />}
        <DrawerButtons />
        <button
          type="button"
          class="ib wide-only"
          aria-label={texts.videoSettings}
          title={texts.videoSettings}
          aria-pressed={selection.value.kind === 'settings'}
          onClick={() => {
            selection.value = { kind: 'settings' };
          }}
        >
          <Icon name="gear" />
        </button>
        <button
          type="button"
          class="ib wide-only"
          aria-label={texts.shortcuts}
          title={texts.shortcutsHint}
          onClick={() => {
            keysOpen.value = true;
          }}
        >
          <Icon name="help" />
        </button>
        <ExportSplit />
      </div>
    </header>
  );
}

/** Export, and beside it the choice of formats, quality and name. */
function ExportSplit(props: { readonly class?: string }) {
  return (
    <span class="export-split">
      <ExportButton {...props} />
      <Menu class="bt prim" label={texts.exportOptions} button={<Icon name="down" />}>
        {() => <ExportOptions />}
      </Menu>
    </span>
  );
}

/** The export button is always enabled; if there are errors, the panel shows them. */
function ExportButton({ class: name = planned.value.errors.length > 0 ? 'off' : '' }: { readonly class?: string }) {
  return (
    <button
      type="button"
      class={`bt prim ${name}`}
      onClick={() => {
        exportOpen.value = true;
      }}
    >
      <Icon name="export" />
      {texts.exportPanel}
      {/made|here/.test(exportStep.value.step) && <ExportShare />}
    </button>
  );
}

function SavedWord() {
  if (lock.value !== 'held') return <span class="saved">{texts.readOnly}</span>;
  if (syncState.value !== null) return <SyncWord />;
  if (kept.value === 'tab' || kept.value === 'full') return <span class="saved">{texts.notSaved}</span>;
  return (
    <span class="saved" title={texts.staysInBrowser}>
      {kept.value === 'saved' && <Icon name="check" />}
      {kept.value === 'saved' ? texts.saved : texts.saving}
    </span>
  );
}

const ProjectLines = shownLater(async () => (await import('./top-bar-menus.tsx')).ProjectLines);

/** The menu of the open project, other projects and files. */
function ProjectMenu() {
  const title = titleOf(project.value) ?? texts.untitled;
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

/** On a phone, the two main actions are within reach of a thumb. */
export function PhoneBar() {
  return (
    <nav class="pbar" aria-label={texts.exportPanel}>
      <div>
        <SavedWord />
        <button
          type="button"
          class="lk"
          aria-label={texts.addPictures}
          onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}
        >
          <Icon name="plus" />
          {texts.add}
        </button>
      </div>
      <button type="button" class="ib" aria-label={texts.recordTake} title={texts.recordTake} onClick={openTake}>
        <Icon name="record" />
        <span class="ib-name">{texts.takeShort}</span>
      </button>
      <DrawerButtons />
      <ExportSplit class="big" />
    </nav>
  );
}
