import { render } from 'preact';
import { App } from './app.tsx';
import { drawWhatIsComing } from './example/start-example.ts';
import { exportOpen } from './export/export-progress.ts';
import { clipboard } from './files/drop-anywhere.tsx';
import { chooseFiles, MEDIA_FILES, takeFiles } from './files/take-files.ts';
import { saveNow, startKeeping } from './keeping/autosave.ts';
import { keysOpen, listenForKeys, onKey } from './keys/keys.ts';
import { focusDetails, focusPart, keepFocus } from './keys/move-focus.ts';
import { studioConfig } from './kit/assets.ts';
import { fetchTheRest, later } from './kit/later.tsx';
import { openTake } from './session/open-take.ts';
import { hasService } from './session/service-state.ts';
import { face, redo, shownPresetName, undo } from './session/session.ts';
import './frame/page-look.ts';
import * as texts from './texts/en/page.ts';

onKey('ctrl+z', texts.undo, undo);
onKey('ctrl+shift+z', texts.redo, redo);
onKey('ctrl+y', null, redo);
onKey('ctrl+s', null, () => void saveNow());
// Listed only: the browser turns these keys into clipboard events.
onKey('ctrl+x', texts.cut, () => false);
onKey('ctrl+c', texts.copy, () => false);
onKey('ctrl+v', texts.pasteKey, () => false);
onKey('ctrl+d', texts.duplicate, async () => (await clipboard()).duplicateSelected());
onKey('b', texts.board, () => {
  face.value = 'board';
  keepFocus('.tile[tabindex="0"]', '.bh .bt');
});
onKey('p', texts.preview, () => {
  face.value = 'preview';
  keepFocus('.pv-play', '.pv-buttons .ib');
});
onKey('?', texts.shortcuts, () => {
  keysOpen.value = true;
});
onKey('a', texts.addFiles, () => chooseFiles(MEDIA_FILES, takeFiles, true));
onKey('e', texts.exportPanel, () => {
  exportOpen.value = true;
});
onKey('shift+r', texts.recordTake, openTake);
onKey('f2', texts.detailsKey, () => focusDetails());
onKey('f6', texts.nextPartKey, () => focusPart(1));
onKey('shift+f6', null, () => focusPart(-1));
listenForKeys();
shownPresetName.value = studioConfig.presets[0].name;

render(<App />, document.getElementById('studio')!);
const syncing = later(() => import('./sync/start-sync.ts'));
const openLink = location.hash.startsWith('#shared=') ? async () => (await syncing()).openLink() : null;
await startKeeping(openLink);
void drawWhatIsComing();
fetchTheRest();
(await import('./export/run-export.ts')).pickUpExports();
(await syncing()).startSync();
if (!hasService) (await import('./sync/open-link.ts')).watchLinks();
(await import('./take/unfinished-takes.tsx')).findUnfinished();
(await import('./export/draft.ts')).startDrafting();
(await import('./preview/exact-still.ts')).watchStills();
