/**
 * What nobody sees before the page is there, fetched as one: each part by itself would leave the page in many small pieces, which together
 * weigh more over the wire than the parts they were cut for.
 */
export { askForFrame } from './export/ask-for-frame.ts';
export { ExportPanel } from './export/export-panel.tsx';
export { pickUpExports } from './export/pick-up-export.ts';
export { KeysSheet } from './keys/keys-sheet.tsx';
export { BoxHandles } from './preview/box/box-handles.tsx';
export { elementFrame, endElement } from './preview/element-frames.ts';
export { SoundPlayer } from './preview/sound/sound-player.ts';
export { FirstVisit } from './shell/first-visit.tsx';
export { IssuesMenu } from './shell/issues-menu.tsx';
export { ProjectLines } from './shell/project-lines.tsx';
export { AddLines } from './timeline/add-lines.tsx';
export { Recorder } from './timeline/recorder.tsx';
