/** Context menus, the clipboard and the list of shortcuts. */
export const shortcuts = 'Shortcuts';
export const keyGroups = { everywhere: 'Everywhere', cards: 'Cards', playing: 'Playing', timeline: 'Timeline' };
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
export const cardBeside = 'Go to the card beside; Shift adds it to the selection';
export const cardToRow = 'Move to a row and select the next card';
export const cardToPool = 'Back to the pool';
export const liftCard = 'Lift; arrow keys move it, Enter drops it';
export const moveCard = 'Move by one place';
export const renameCard = 'Rename; Enter or Tab goes to the next card';
export const addToSelection = 'Add to the selection';
export const selectAll = 'Select all';
export const selectNone = 'Select none';
export const nextEntry = 'Go to the next entry; Shift adds it to the selection';
export const openMenu = 'Menu of the selection; also on a card';
export const playheadToEntry = 'Playhead to the start of the entry';
export const moveEntry = 'Move by a frame; with Shift by a second';
export const verdictOfSpotlight = 'Go to the verdict of a spotlight; arrow keys move it, with Shift by a second';
