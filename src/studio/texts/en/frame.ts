/** The page around the panels, its shortcuts, and the list of media. */
export const brand = 'Tiercut';
export const studio = 'Tiercut Studio';
export const opening = 'Opening';
export const skipToTimeline = 'Skip to the timeline';

export const view = 'View';
export const boardAndPreview = 'Board and preview';
export const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`);
export const items = (count: number) => (count === 1 ? '1 item' : `${count} items`);
export const allRanked = 'all ranked';
export const notRanked = (count: number) => `${count} not ranked`;

export const pasteKey = 'Paste at the playhead, or after the selected item';
export const addFiles = 'Add files';
export const detailsKey = 'Go to the details; Escape goes back';
export const nextPartKey = 'Go to the next part of the page; with Shift, the previous one';

export const undoHint = (step: string | null) => (step === null ? 'Undo (Ctrl+Z)' : `Undo: ${step} (Ctrl+Z)`);
export const redoHint = (step: string | null) =>
  step === null ? 'Redo (Ctrl+Shift+Z)' : `Redo: ${step} (Ctrl+Shift+Z)`;
export const shortcutsHint = 'Shortcuts (?)';
export const exportOptions = 'Formats and quality';
export const addPictures = 'Add pictures';

export const readOnly = 'Read only';
export const notSaved = 'Not saved in this browser';
export const saved = 'Saved';
export const saving = 'Saving …';

export const findMedia = 'Find media';
export const findInFiles = (count: number) => `Find in ${count} files`;
export const pictures = 'Pictures';
export const clips = 'Clips';
export const sound = 'Sound';
export const noPreview = 'No preview';
export const noMedia = 'Your pictures, clips and sounds appear here.';
export const missing = 'Missing';
export const dropMissing = 'Drop these files anywhere on the page to restore them.';
export const inUse = 'In use';
export const notUsed = 'not used';
export const addingFiles = 'Adding files';
export const drawingExample = 'Drawing the example';
export const privateMedia = 'No account. Files stay in this browser until the service needs them.';
export const keptMedia = (size: string) => `Kept in this browser · ${size}`;
export const mediaInTab = (size: string) => `In this tab only · ${size}`;
