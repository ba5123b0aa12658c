/** Texts that several parts of the page share, and texts of the parts below the panels. */
export const close = 'Close';
export const addNamed = (what: string) => `Add ${what}`;
export const addItem = 'Add item';
export const removeNamed = (what: string) => `Remove ${what}`;
export const removeFromProject = 'Remove from the project';
/** Formats by the alias of their preset. A preset of the operator shows its own name. */
export const formatNames: Readonly<Record<string, string>> = {
  landscape: 'Landscape',
  portrait: 'Portrait',
  square: 'Square',
};
export const media = 'Media';
export const details = 'Details';
export const board = 'Board';
export const preview = 'Preview';
export const timeline = 'Timeline';
export const exportPanel = 'Export';
export const videoSettings = 'Video settings';
export const shortcuts = 'Shortcuts';
export const recordTake = 'Record a take';
export const takeShort = 'Take';
export const undo = 'Undo';
export const redo = 'Redo';
export const add = 'Add';
export const remove = 'Remove';
export const cut = 'Cut';
export const copy = 'Copy';
export const duplicate = 'Duplicate';
export const cancel = 'Cancel';
export const tryAgain = 'Try again';
export const files = 'Files';
export const untitled = 'Untitled';
export const staysInBrowser = 'Stays in this browser';
export const staysInBrowserUntil =
  'Everything stays in this browser until you export or start something else that needs the service.';
export const staysInBrowserAlways = 'Everything stays in this browser.';
export const sentWhileEditing = (host: string) => `Files of the project are sent to ${host} while you edit.`;
export const mayFilesBeSent = (host: string) =>
  `May the studio send the files of your projects to ${host} while you edit? Exports are then ready sooner, and frames that this browser cannot show come from there.`;
export const sendWhileEditing = 'Send while I edit';
export const sendWhenAsked = 'Only when I ask';
export const closeMedia = 'Close media';
export const closeDetails = 'Close details';

export const panelStopped = (name: string) =>
  `The panel “${name}” stopped because of an error in the studio. Your project is not affected.`;
export const reloadPanel = 'Reload panel';
export const partNotLoaded = 'Part of this page did not load. Check the network, then reload the page.';
export const noService = 'Only a Tiercut service can do this, and this page has none.';
export const serviceGone = 'The service does not respond.';
export const keyUnknown = 'The service does not accept this key.';

export const kilobytes = (count: string) => `${count} kB`;
export const megabytes = (count: string) => `${count} MB`;
export const font = 'font, for the theme';
export const checkedByService = 'the service will read this file';
export const notReadHere = 'this browser cannot read this file';

export const lockedEntries = 'Locked entries do not change. Unlock their lane first.';
export const changePlace = 'Change position';
export const resetPlace = 'Reset position';
export const spreadReveals = 'Spread reveals evenly';
export const noTimeToSpread = 'The video has no length yet. Put a board or a clip on the timeline first.';

export const noSound = (file: string) => `${file} has no sound.`;
export const maxVolumePoints = (max: number) => `An entry can have ${max} volume points at most.`;
export const addVolumePoint = 'Add volume point';
export const removeVolumePoint = 'Remove volume point';
export const silent = 'Silent';
export const decibels = (level: string) => `${level} dB`;
export const volumePoint = (level: string, seconds: number) => `${level} at ${seconds} s`;

export const countOf = (count: number | string, of: number | string) => `${count} of ${of}`;
export const percent = (count: number) => `${count} %`;
export const secondsUnit = 's';
export const seconds = (count: number | string) => `${count} s`;
export const moveVerdict = 'Move verdict';
export const verdict = (at: string, held: string) => `Verdict at ${at}, card held up for ${held}`;
export const verdictPops = (verdict: string) => `${verdict}; there is no room for a spotlight, so the card pops in`;
export const verdictShortened = (verdict: string, by: string) =>
  `${verdict}, ${by} less than set, because the next card is too close`;

export const dropToAdd = 'Drop to add';
export const noSubtitles = (file: string) => `${file} has no subtitles.`;
export const theFile = 'The file';
export const addSubtitles = (count: number) => (count === 1 ? 'Add 1 subtitle' : `Add ${count} subtitles`);
export const noNames = 'The list has no names.';
export const manyItems = (count: number) => `${count} items`;
export const addedListed = (names: string) => `Added ${names}.`;

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
export const privateMedia = (where: string) => `No account. ${where}`;
export const keptMedia = (size: string) => `Kept in this browser · ${size}`;
export const mediaInTab = (size: string) => `In this tab only · ${size}`;
