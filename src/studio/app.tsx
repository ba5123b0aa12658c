import { computed } from '@preact/signals';
import { Bin } from './bin/bin.tsx';
import { Board } from './board/board.tsx';
import { Ghost } from './carry/ghost.tsx';
import { itemsOf } from './document/board-commands.ts';
import { exportOpen } from './export/export-state.ts';
import { DropAnywhere } from './files/drop-anywhere.tsx';
import { Bars, Messages } from './frame/bars.tsx';
import { paneStyle } from './frame/pane-sizes.ts';
import { PhoneBar } from './frame/phone-bar.tsx';
import { TopBar } from './frame/top-bar.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { opened } from './keeping/autosave.ts';
import { keysOpen } from './keys/keys.ts';
import { menuOpen } from './kit/context-menu.ts';
import { DrawerScrim, drawer } from './kit/drawers.tsx';
import { Guarded } from './kit/guarded.tsx';
import { Icon, Logo } from './kit/icon.tsx';
import { shownLater } from './kit/later.tsx';
import { type Choice, Radios } from './kit/radios.tsx';
import { Preview } from './preview/preview.tsx';
import { captionsOf } from './session/captions.ts';
import { decided, face, previewAlone, project, tierList } from './session/session.ts';
import { finishedTake, takeOpen, unfinishedTakes } from './session/take.ts';
import { asked } from './sync/sync-state.ts';
import * as texts from './texts/en/frame.ts';
import * as page from './texts/en/page.ts';
import { TimelinePanel } from './timeline/timeline.tsx';

const CaptionsPanel = shownLater(async () => (await import('./captions/captions-panel.tsx')).CaptionsPanel);
const ExportPanel = shownLater(async () => (await import('./export/export-panel.tsx')).ExportPanel);
const FirstVisit = shownLater(async () => (await import('./frame/first-visit.tsx')).FirstVisit);
const LayoutMenu = shownLater(async () => (await import('./frame/layout-menu.tsx')).LayoutMenu);
const ProjectDialogs = shownLater(async () => (await import('./frame/projects/project-dialogs.tsx')).ProjectDialogs);
const Splitter = shownLater(async () => (await import('./frame/splitter.tsx')).Splitter);
const ContextMenu = shownLater(async () => (await import('./commands/context-menu.tsx')).ContextMenu);
const KeysSheet = shownLater(async () => (await import('./keys/keys-sheet.tsx')).KeysSheet);

const TakeView = shownLater(async () => (await import('./take/take-view.tsx')).TakeView);
const AfterTake = shownLater(async () => (await import('./take/after-take.tsx')).AfterTake);
const UnfinishedTakes = shownLater(async () => (await import('./take/unfinished-takes.tsx')).UnfinishedTakes);

const isEmpty = computed(() => tierList.value.items.length === 0 && Object.keys(project.value.media).length === 0);

/** Media is on the left, the result in the centre, the inspector on the right, the timeline below. */
export function App() {
  if (!opened.value) return <Opening />;
  return (
    <div class="app" style={paneStyle()}>
      <a class="skip" href="#timeline">
        {texts.skipToTimeline}
      </a>
      <TopBar />
      <div>
        <Bars />
        {unfinishedTakes.value.length > 0 && <UnfinishedTakes />}
      </div>
      <main class="work" data-drawer={drawer.value ?? 'none'}>
        <Guarded name={page.media} class="bin">
          <Bin />
        </Guarded>
        {isEmpty.value ? <FirstVisit /> : <Centre />}
        <Guarded name={page.details} class="insp">
          {captionsOf.value === null ? <Inspector /> : <CaptionsPanel />}
        </Guarded>
        <Splitter pane="media" />
        <Splitter pane="details" />
        <Splitter pane="timeline" />
        <DrawerScrim />
        {menuOpen.value !== null && <ContextMenu />}
      </main>
      <Guarded name={page.timeline} class="timeline">
        <TimelinePanel />
      </Guarded>
      <PhoneBar />
      {exportOpen.value && (
        <Guarded name={page.exportPanel} class="word">
          <ExportPanel />
        </Guarded>
      )}
      {keysOpen.value && <KeysSheet />}
      {asked.value !== null && <ProjectDialogs />}
      {takeOpen.value && <TakeView />}
      {finishedTake.value !== null && <AfterTake />}
      <Messages />
      <DropAnywhere />
      <Ghost />
    </div>
  );
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
        {page.board}
      </>
    ),
  },
  {
    value: 'preview',
    words: (
      <>
        <Icon name="play" />
        {page.preview}
      </>
    ),
  },
];

/** The same for windows wide enough for both. */
const WIDE_FACES: readonly Choice<'both' | 'preview'>[] = [
  { value: 'both', words: texts.boardAndPreview },
  { value: 'preview', words: page.preview },
];

/** Board and preview share the centre, so that each gets all of it. Wide windows and phones show both. */
function Centre() {
  const { rows, items } = tierList.value;
  const ranked = new Set(rows.flatMap(({ item_ids = [] }) => item_ids)).size;
  // The state before a drag: the layout must not change during one.
  const waits = itemsOf(decided.value.tier_list, null).length > 0;
  const isAlone = previewAlone.value && face.value === 'preview';
  return (
    <section
      class="centre"
      data-face={face.value}
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
        {face.value === 'board' && (
          <span class="cinfo q">
            {texts.rows(rows.length)} · {texts.items(items.length)} ·{' '}
            {ranked === items.length ? texts.allRanked : texts.notRanked(items.length - ranked)}
          </span>
        )}
        <LayoutMenu />
      </div>
      <Guarded name={page.board} class="board face">
        <Board />
      </Guarded>
      <Guarded name={page.preview} class="preview face">
        <Preview />
      </Guarded>
      <Splitter pane="board" />
    </section>
  );
}
