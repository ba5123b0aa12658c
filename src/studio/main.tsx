import { render } from 'preact';
import { App } from './app.tsx';
import { EMPTY_PROJECT } from './document/project.ts';
import { exampleDocuments } from './example/example-documents.ts';
import { drawWhatIsComing } from './example/start-example.ts';
import { saveNow, startKeeping } from './keeping/autosave.ts';
import { face, redo, undo } from './session.ts';
import { keysOpen, listenForKeys, onKey } from './shell/keys.ts';
import { fetchTheRest } from './shell/later.tsx';
import './shell/theme.ts';

onKey('ctrl+z', 'Undo', undo);
onKey('ctrl+shift+z', 'Redo', redo);
onKey('ctrl+y', null, redo);
onKey('ctrl+s', null, () => void saveNow());
onKey('b', 'Board', () => {
  face.value = 'board';
});
onKey('p', 'Preview', () => {
  face.value = 'preview';
});
onKey('?', 'Keys', () => {
  keysOpen.value = true;
});
// Cards have keys of their own, while one has the focus.
for (const [key, label] of [
  ['1–9', 'Put the chosen cards into a row'],
  ['0', 'Take them off the board'],
  ['enter', 'Lift a card, arrows move it, Enter drops it'],
  ['alt+arrowright', 'Move a card by one'],
] as const) {
  onKey(key, label, () => false);
}
listenForKeys();

render(<App />, document.getElementById('studio')!);
await startKeeping(location.hash === '#new' ? () => EMPTY_PROJECT : exampleDocuments);
void drawWhatIsComing();
fetchTheRest();
(await import('./export/pick-up-export.ts')).pickUpExports();
