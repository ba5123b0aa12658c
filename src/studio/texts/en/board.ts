/** The board: rows, cards, and the pool of cards that are not ranked. */
export const title = 'Title';
export const renameProject = 'Rename project';

export const newRow = 'Row';
export const addRow = 'Add row';
export const rows = 'Rows';
export const rowSets = 'Rows: choose a set';
export const rowsOf = (name: string) => `Rows: ${name}`;
export const rowsApplied = (name: string) => `Rows: ${name}.`;
export const itemsUnranked = (count: number) =>
  count === 1
    ? '1 item is no longer ranked: its row was removed.'
    : `${count} items are no longer ranked: their rows were removed.`;

export const row = (label: string) => `Row ${label}`;
export const rowMenu = (label: string) => `Row ${label}: colour, order, remove`;
export const rowLabel = (label: string) => `Label of row ${label}`;
export const renameRow = 'Rename row';
export const rowColour = 'Colour';
export const colour = (color: string) => `Colour ${color}`;
export const anotherColour = 'Custom colour';
export const recolourRow = 'Change row colour';
export const moveRow = 'Move row';
export const moveUp = 'Move up';
export const moveDown = 'Move down';
export const removeRow = 'Remove row';
export const removeRowOf = (label: string) => `Remove row ${label}`;

export const renameItem = (name: string) => `Rename ${name}`;
export const itemName = (name: string) => `Name of ${name}`;
export const removeItems = (count: number) => (count === 1 ? 'Remove item' : `Remove ${count} items`);

export const notRanked = 'Not ranked';
export const notRankedCount = (count: number) => `Not ranked · ${count}`;
export const dropHere = 'Items appear here. Drop pictures to add some.';
export const allRanked = 'All items are ranked. To unrank an item, drop it here.';
export const rankByMouse = (rows: number) => `Drag them into the rows, or select one and press 1–${rows}.`;
export const rankByTouch = 'Tap an item, then a row. Or hold it, and drag it there.';

export const moveItem = (name: string) => `Move ${name}`;
export const moveItems = (count: number) => `Move ${count} items`;
export const place = (row: string, at: number, of: number) => `${row}, place ${at} of ${of}.`;
export const lifted = (place: string) => `Picked up. ${place} Arrow keys move it, Enter drops it, Escape cancels.`;
export const dropped = 'Dropped.';
export const backInPlace = 'Put back.';
