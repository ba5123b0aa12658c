/** Context menus, the clipboard and the list of shortcuts. */
export const keyGroups = { everywhere: 'Everywhere', cards: 'Cards', playing: 'Playback', timeline: 'Timeline' };
/** Names of keys that are not printed on every keyboard the same way. */
export const keyNames: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  space: 'Space',
  enter: 'Enter',
  escape: 'Escape',
  delete: 'Delete',
  tab: 'Tab',
  home: 'Home',
  end: 'End',
};
export const cardBeside = 'Go to an adjacent card; Shift adds it to the selection';
export const cardToRow = 'Move to a row and select the next card';
export const cardToPool = 'Move to Not ranked';
export const liftCard = 'Pick up; arrow keys move it, Enter drops it';
export const moveCard = 'Move by one place';
export const renameCard = 'Rename; Enter or Tab goes to the next card';
export const addToSelection = 'Add to the selection';
export const selectAll = 'Select all';
export const selectNone = 'Clear the selection';
export const nextEntry = 'Go to the next entry; Shift adds it to the selection';
export const openMenu = 'Open the menu of the selection or of a card';
export const playheadToEntry = 'Move the playhead to the start of the entry';
export const moveEntry = 'Move by a frame; with Shift by a second';
export const verdictOfSpotlight = 'Go to the verdict of a spotlight; arrow keys move it, with Shift by a second';

export const menuOf = {
  entries: 'Selected entries',
  lane: 'Lane',
  item: 'Item',
  row: 'Row',
  media: 'File',
  preview: 'Preview',
  field: 'Value',
};
export const selectLane = 'Select all in the lane';
export const mute = 'Mute';
export const solo = 'Solo';
export const lock = 'Lock';
export const switchOff = (name: string) => `Turn off ${name.toLowerCase()}`;
export const moveTo = (row: string) => `Move to ${row}`;
export const offTheBoard = 'Move to Not ranked';
export const rename = 'Rename';
export const addToBoard = 'Add to the board';

export const paste = 'Paste';
export const items = (count: number) => (count === 1 ? 'item' : `${count} items`);
export const entries = (count: number) => (count === 1 ? 'entry' : `${count} entries`);
export const cutSome = (what: string) => `Cut ${what}`;
export const pasteSome = (what: string) => `Paste ${what}`;
export const duplicateSome = (what: string) => `Duplicate ${what}`;
export const copied = (what: string) => `Copied ${what}.`;
export const pasted = (what: string) => `Pasted ${what}.`;
export const nothingToPaste = 'There is nothing to paste.';
export const damagedCopy = 'The copied text is damaged and cannot be pasted.';
/** Why something that was copied is not pasted. */
export const leftOut = {
  revealed: 'Some reveals were not pasted: each item is revealed once.',
  no_item: 'Some reveals were not pasted: this project does not have their items.',
  board_there: 'The board was not pasted: it is already shown there.',
  locked: 'Some entries were not pasted: their lane is locked. Unlock it first.',
  no_file: 'Some entries were not pasted: they have no file.',
  too_many: 'Not everything was pasted: the project is full.',
  too_late: 'Some entries were not pasted: they would end after the maximum length of a video.',
};
export const missingFiles = (names: string) =>
  `This browser does not have ${names}. Drop the files on the page to restore them.`;

export const fetching = (host: string) => `The service is fetching a picture from ${host} …`;
export const cannotFetch =
  'This page has no service that could fetch pictures from other sites. Save them, then drop the files here.';
export const keyBeforeFetch = 'The service needs an API key before it fetches pictures. Enter it at the top.';
export const firstAddresses = (count: number) => `Only the first ${count} addresses were added.`;
