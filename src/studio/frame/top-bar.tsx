import { exportOpen, exportStep } from '../export/export-state.ts';
import { lock, saved } from '../keeping/autosave.ts';
import { keysOpen } from '../keys/keys.ts';
import { DrawerButtons } from '../kit/drawers.tsx';
import { Icon, Logo } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { keeping } from '../media/media-store.ts';
import { planned, redo, redoLabel, selection, undo, undoLabel } from '../session/session.ts';
import { syncState } from '../sync/sync-state.ts';
import * as texts from '../texts/en/frame.ts';
import * as page from '../texts/en/page.ts';
import { ProjectMenu } from './project-menu.tsx';

const SyncWord = shownLater(async () => (await import('./projects/sync-bars.tsx')).SyncWord);
const ExportOptions = shownLater(async () => (await import('./export-options.tsx')).ExportOptions);
export const ExportShare = shownLater(async () => (await import('./export-share.tsx')).ExportShare);
const IssuesMenu = shownLater(async () => (await import('./issues-menu.tsx')).IssuesMenu);

export function TopBar() {
  return (
    <header class="top">
      <h1 class="unseen">{texts.studio}</h1>
      <a class="brand" href="/studio" aria-label={texts.studio}>
        <Logo />
        <span>{texts.brand}</span>
      </a>
      <span class="sep" />
      <ProjectMenu />
      <SavedWord />
      <div class="mid">
        <button
          type="button"
          class="ib"
          aria-label={page.undo}
          title={texts.undoHint(undoLabel.value)}
          disabled={undoLabel.value === null}
          onClick={undo}
        >
          <Icon name="undo" />
        </button>
        <button
          type="button"
          class="ib"
          aria-label={page.redo}
          title={texts.redoHint(redoLabel.value)}
          disabled={redoLabel.value === null}
          onClick={redo}
        >
          <Icon name="redo" />
        </button>
      </div>
      <div class="end">
        {planned.value.errors.length + planned.value.warnings.length > 0 && <IssuesMenu />}
        <DrawerButtons />
        <button
          type="button"
          class="ib wide-only"
          aria-label={page.videoSettings}
          title={page.videoSettings}
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
          aria-label={page.shortcuts}
          title={texts.shortcutsHint}
          onClick={() => {
            keysOpen.value = true;
          }}
        >
          <Icon name="help" />
        </button>
        <span class="export-split">
          <ExportButton />
          <Menu class="bt prim" label={texts.exportOptions} button={<Icon name="down" />}>
            <ExportOptions />
          </Menu>
        </span>
      </div>
    </header>
  );
}

/** The export button is always enabled; if there are errors, the panel shows them. */
function ExportButton() {
  return (
    <button
      type="button"
      class={`bt prim ${planned.value.errors.length > 0 ? 'off' : ''}`}
      onClick={() => {
        exportOpen.value = true;
      }}
    >
      <Icon name="export" />
      {page.exportPanel}
      {exportStep.value.step === 'made' && <ExportShare />}
    </button>
  );
}

export function SavedWord() {
  if (lock.value !== 'held') return <span class="saved">{texts.readOnly}</span>;
  if (syncState.value !== null) return <SyncWord />;
  if (saved.value === 'never' || keeping.value === 'memory') return <span class="saved">{texts.notSaved}</span>;
  return (
    <span class="saved" title={page.staysInBrowser}>
      {saved.value === 'saved' && <Icon name="check" />}
      {saved.value === 'saved' ? texts.saved : texts.saving}
    </span>
  );
}
