import { render } from 'preact';
import { App } from './app.tsx';
import { EMPTY_PROJECT } from './document/project.ts';
import { exampleDocuments } from './example/example-documents.ts';
import { drawWhatIsComing } from './example/start-example.ts';
import { exportOpen } from './export/export-state.ts';
import { chooseFiles, MEDIA_FILES } from './files/choose-files.ts';
import { clipboard } from './files/clipboard-later.ts';
import { takeFiles } from './files/take-files.ts';
import { saveNow, startKeeping } from './keeping/autosave.ts';
import { keysOpen, listenForKeys, onKey } from './keys/keys.ts';
import { focusDetails, focusPart, keepFocus } from './keys/move-focus.ts';
import { studioConfig } from './kit/assets.ts';
import { fetchTheRest, later } from './kit/later.tsx';
import { face, redo, shownPresetName, undo } from './session/session.ts';
import { openTake } from './session/take.ts';
import './frame/theme.ts';
import * as texts from './texts/en/frame.ts';
import * as page from './texts/en/page.ts';

onKey('ctrl+z', page.undo, undo);
onKey('ctrl+shift+z', page.redo, redo);
onKey('ctrl+y', null, redo);
onKey('ctrl+s', null, () => void saveNow());
// Listed only: the browser turns these keys into clipboard events.
onKey('ctrl+x', page.cut, () => false);
onKey('ctrl+c', page.copy, () => false);
onKey('ctrl+v', texts.pasteKey, () => false);
onKey('ctrl+d', page.duplicate, async () => (await clipboard()).duplicateSelected());
onKey('b', page.board, () => {
  face.value = 'board';
  keepFocus('.tile[tabindex="0"]', '.bh .bt');
});
onKey('p', page.preview, () => {
  face.value = 'preview';
  keepFocus('.pv-play', '.pv-buttons .ib');
});
onKey('?', page.shortcuts, () => {
  keysOpen.value = true;
});
onKey('a', texts.addFiles, () => chooseFiles(MEDIA_FILES, takeFiles, true));
onKey('e', page.exportPanel, () => {
  exportOpen.value = true;
});
onKey('shift+r', page.recordTake, openTake);
onKey('f2', texts.detailsKey, () => focusDetails());
onKey('f6', texts.nextPartKey, () => focusPart(1));
onKey('shift+f6', null, () => focusPart(-1));
listenForKeys();
shownPresetName.value = studioConfig.presets[0].name;

render(<App />, document.getElementById('studio')!);
const syncing = later(() => import('./sync/start-sync.ts'));
const openLink = location.hash.startsWith('#shared=') ? async () => (await syncing()).openLink() : null;
await startKeeping(location.hash === '#new' ? () => EMPTY_PROJECT : exampleDocuments, openLink);
void drawWhatIsComing();
fetchTheRest();
(await import('./export/pick-up-export.ts')).pickUpExports();
(await syncing()).startSync();
(await import('./take/unfinished.ts')).findUnfinished();
(await import('./export/draft.ts')).startDrafting();
