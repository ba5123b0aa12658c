import { computed } from '@preact/signals';
import { Component, type ComponentChildren } from 'preact';
import { Board } from './board/board.tsx';
import { Ghost } from './carry/ghost.tsx';
import { itemsOf } from './document/board-commands.ts';
import { hasOtherLooks } from './document/project.ts';
import { exportOpen } from './export/export-progress.ts';
import { Bin } from './files/bin.tsx';
import { DropAnywhere } from './files/drop-anywhere.tsx';
import { FirstVisit } from './frame/first-visit.tsx';
import { paneStyle } from './frame/page-look.ts';
import { PhoneBar, TopBar } from './frame/top-bar.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { kept, lock, opened } from './keeping/autosave.ts';
import { keysOpen } from './keys/keys.ts';
import { DrawerScrim, drawer } from './kit/drawers.tsx';
import { Icon, IconButton, Logo } from './kit/icon.tsx';
import { shownLater } from './kit/later.tsx';
import { announced, messages, unsay } from './kit/messages.ts';
import { menuOpen } from './kit/open-menu.ts';
import { type Choice, Radios } from './kit/radios.tsx';
import { Preview } from './preview/preview.tsx';
import { asksToSend } from './session/may-send.ts';
import { finishedTake, takeOpen, unfinishedTakes } from './session/open-take.ts';
import { keyWanted } from './session/service-state.ts';
import {
  captionsOf,
  decided,
  face,
  pausesOf,
  previewAlone,
  project,
  readOnly,
  selection,
  tableOpen,
  tierList,
  untouched,
} from './session/session.ts';
import { asked, syncState } from './sync/sync-state.ts';
import * as texts from './texts/en/page.ts';
import { TimelinePanel } from './timeline/timeline.tsx';

const CaptionsPanel = shownLater(async () => (await import('./captions/captions-panel.tsx')).CaptionsPanel);
const PausesPanel = shownLater(async () => (await import('./timeline/pauses-panel.tsx')).PausesPanel);
const ExportPanel = shownLater(async () => (await import('./export/export-panel.tsx')).ExportPanel);
const LayoutMenu = shownLater(async () => (await import('./frame/layout-menu.tsx')).LayoutMenu);
const ProjectDialogs = shownLater(async () => (await import('./frame/project-dialogs.tsx')).ProjectDialogs);
const Splitter = shownLater(async () => (await import('./frame/splitter.tsx')).Splitter);
const ContextMenu = shownLater(async () => (await import('./frame/context-menu.tsx')).ContextMenu);
const KeysSheet = shownLater(async () => (await import('./keys/keys-sheet.tsx')).KeysSheet);

const TakeView = shownLater(async () => (await import('./take/take-view.tsx')).TakeView);
const AfterTake = shownLater(async () => (await import('./take/after-take.tsx')).AfterTake);
const UnfinishedTakes = shownLater(async () => (await import('./take/unfinished-takes.tsx')).UnfinishedTakes);

const TemplatePanel = shownLater(async () => (await import('./series/template-panel.tsx')).TemplatePanel);
const TablePanel = shownLater(async () => (await import('./series/table/table-panel.tsx')).TablePanel);
const EpisodeForm = shownLater(async () => (await import('./series/episode-form.tsx')).EpisodeForm);

const isEpisode = computed(() => project.value.template?.episode !== undefined);
const isTable = computed(() => tableOpen.value && decided.value.template !== undefined);
/** Whether a form or a table beside the preview takes the place of the editor. */
const isForm = computed(() => isEpisode.value || isTable.value);
/** A form or a table has the preview beside it, whatever opens the board elsewhere. */
const shownFace = computed(() => (isForm.value ? 'preview' : face.value));
/** The fields of a template are what is shown of it while nothing else is selected. */
const showsTemplate = computed(() => project.value.template !== undefined && selection.value.kind === 'none');

/** What the page is arranged for, by `frame/tasks.css`. The next steps after a take wait while one of them is open. */
const task = computed(() => {
  if (pausesOf.value !== null) return 'pauses';
  if (captionsOf.value !== null) return 'captions';
  return finishedTake.value === null ? 'edit' : 'after';
});

/** Whether something is open that is to be finished first. */
const isBusy = computed(() => exportOpen.value || isForm.value || task.value !== 'edit');

/** The editor: media is on the left, the result in the centre, the inspector on the right, the timeline below. */
export function App() {
  if (!opened.value) return <Opening />;
  return (
    <div
      class={untouched.value ? 'app visits' : `app${isForm.value ? ' episode' : ''}${isTable.value ? ' tables' : ''}`}
      data-task={task.value}
      style={paneStyle()}
    >
      {untouched.value ? <FirstVisit notes={<Notes />} /> : <Editor />}
      {exportOpen.value && (
        <Guarded name={texts.exportPanel} class="word">
          <ExportPanel />
        </Guarded>
      )}
      {keysOpen.value && <KeysSheet />}
      {asked.value !== null && <ProjectDialogs />}
      {takeOpen.value && <TakeView />}
      <Messages />
      <DropAnywhere />
      <Ghost />
    </div>
  );
}

/** What is reported under the top bar. */
function Notes() {
  return (
    <div>
      <Bars />
      {unfinishedTakes.value.length > 0 && <UnfinishedTakes />}
    </div>
  );
}

function Editor() {
  return (
    <>
      {!isForm.value && (
        <a class="skip" href="#timeline">
          {texts.skipToTimeline}
        </a>
      )}
      <TopBar />
      <Notes />
      <main class="work" data-drawer={drawer.value ?? 'none'}>
        {!isForm.value && (
          <Guarded name={texts.media} class="bin">
            <Bin />
          </Guarded>
        )}
        <Centre />
        <Guarded name={texts.details} class="insp">
          <Details />
        </Guarded>
        <Splitter pane="details" />
        {!isForm.value && (
          <>
            <Splitter pane="media" />
            <Splitter pane="timeline" />
            <DrawerScrim />
          </>
        )}
        {menuOpen.value !== null && <ContextMenu />}
      </main>
      {!isForm.value && (
        <Guarded name={texts.timeline} class="timeline">
          <TimelinePanel />
        </Guarded>
      )}
      {!isForm.value && <PhoneBar />}
    </>
  );
}

/** The inspector, or what is done in its place. */
function Details() {
  if (isTable.value) return <TablePanel />;
  if (isEpisode.value) return <EpisodeForm onMake={openExport} />;
  if (task.value === 'pauses') return <PausesPanel />;
  if (task.value === 'captions') return <CaptionsPanel />;
  if (task.value === 'after') return <AfterTake />;
  return showsTemplate.value ? <TemplatePanel /> : <Inspector />;
}

function openExport(): void {
  exportOpen.value = true;
}

/** Shown while the page looks up the project that was open last. */
function Opening() {
  return (
    <main class="opening" aria-busy="true" aria-label={texts.opening}>
      <Logo />
    </main>
  );
}

const FACES: readonly Choice<'board' | 'preview'>[] = [
  {
    value: 'board',
    words: (
      <>
        <Icon name="board" />
        {texts.board}
      </>
    ),
  },
  {
    value: 'preview',
    words: (
      <>
        <Icon name="play" />
        {texts.preview}
      </>
    ),
  },
];

/** The same for windows wide enough for both. */
const WIDE_FACES: readonly Choice<'both' | 'preview'>[] = [
  { value: 'both', words: texts.boardAndPreview },
  { value: 'preview', words: texts.preview },
];

/** Board and preview share the centre, so that each gets all of it. Wide windows and phones show both. */
function Centre() {
  const { rows, items } = tierList.value;
  const ranked = new Set(rows.flatMap(({ item_ids = [] }) => item_ids)).size;
  // The state before a drag: the layout must not change during one.
  const waits = itemsOf(decided.value.tier_list, null).length > 0;
  const isAlone = isForm.value || (previewAlone.value && face.value === 'preview');
  return (
    <section
      class="centre"
      data-face={shownFace.value}
      data-alone={isAlone}
      data-waits={waits}
      aria-label={texts.boardAndPreview}
    >
      <div class="chd">
        <Radios
          label={texts.view}
          class="seg one-face"
          value={face.value}
          choices={FACES}
          onChoose={(chosen) => {
            face.value = chosen;
          }}
        />
        <Radios
          label={texts.view}
          class="seg both-faces"
          value={isAlone ? 'preview' : 'both'}
          choices={WIDE_FACES}
          onChoose={(chosen) => {
            previewAlone.value = chosen === 'preview';
            if (chosen === 'preview') face.value = 'preview';
          }}
        />
        {shownFace.value === 'board' && (
          <span class="cinfo q">
            {texts.rows(rows.length)} · {texts.items(items.length)} ·{' '}
            {ranked === items.length ? texts.allRanked : texts.notRanked(items.length - ranked)}
          </span>
        )}
        <LayoutMenu />
      </div>
      <Guarded name={texts.board} class="board face">
        <Board />
      </Guarded>
      <Guarded name={texts.preview} class="preview face">
        <Preview />
      </Guarded>
      <Splitter pane="board" />
    </section>
  );
}

interface GuardedProps {
  /** The display name of the panel. */
  readonly name: string;
  /** The classes of the panel, also used by the error message that replaces it. */
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Error boundary of a panel: the other panels and the project stay usable. */
class Guarded extends Component<GuardedProps, { readonly failed: boolean }> {
  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render({ name, class: place, children }: GuardedProps) {
    if (this.state.failed !== true) return children;
    return (
      <section class={`${place} panel-fault`} aria-label={name}>
        <p role="alert">{texts.panelStopped(name)}</p>
        <button type="button" class="bt" onClick={() => this.setState({ failed: false })}>
          {texts.reloadPanel}
        </button>
      </section>
    );
  }
}

const KeepingNotes = shownLater(async () => (await import('./frame/notices.tsx')).KeepingNotes);
const SendQuestion = shownLater(async () => (await import('./frame/notices.tsx')).SendQuestion);
const LooksNotice = shownLater(async () => (await import('./frame/notices.tsx')).LooksNotice);

const looksOther = computed(() => !readOnly.value && hasOtherLooks(project.value));

/** Whether there is something to report about how the project is stored. */
const hasNotes = computed(
  () =>
    keyWanted.value ||
    lock.value !== 'held' ||
    kept.value === 'tab' ||
    kept.value === 'full' ||
    syncState.value !== null,
);

/** Notices under the top bar, shown as long as they apply. */
function Bars() {
  return (
    <div class="bars" role="status">
      {looksOther.value && <LooksNotice />}
      {hasNotes.value && <KeepingNotes />}
    </div>
  );
}

/** Notifications, and the live region for screen readers. */
function Messages() {
  return (
    <>
      <p class="unseen" role="status" aria-live="assertive">
        {announced.value}
      </p>
      {/* It would cover the buttons of what is being done. */}
      {asksToSend.value && !isBusy.value && <SendQuestion />}
      <div class="words" role="status" aria-live="polite">
        {messages.value.map(({ id, text, kind, undo }) => (
          <p key={id} class={`word ${kind}`}>
            {kind === 'bad' && <Icon name="error" />}
            <span>{text}</span>
            {undo !== null && (
              <button
                type="button"
                class="bt"
                onClick={() => {
                  unsay(id);
                  undo();
                }}
              >
                {texts.undo}
              </button>
            )}
            <IconButton icon="close" label={texts.close} onClick={() => unsay(id)} />
          </p>
        ))}
      </div>
    </>
  );
}
