/** The table of episodes. */
export const table = 'Table';
export const openTable = 'Open as a table';
export const openTableHelp = 'One row for each video: paste from a spreadsheet, then export all of them.';
export const closeTable = 'Back to the template';
export const video = 'Video';
export const grid = 'Episodes';
export const rowNumber = 'Row';
export const stateColumn = 'State';

export const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`);
export const wrongRows = (count: number) => (count === 1 ? '1 row with an error' : `${count} rows with an error`);
export const noRows = 'Paste rows from a spreadsheet, drop a CSV file, or type.';
export const keysHelp = 'Enter edits, Tab goes on, Ctrl V pastes from a spreadsheet, Ctrl D fills down, Ctrl Z undoes.';
export const newRow = 'New row';
export const addRow = 'Add row';
export const insertRow = 'Insert rows';
export const removeRow = 'Remove rows';
export const importTable = 'Import CSV';
export const saveTable = 'Save as CSV';
export const fillDown = 'Fill down';
export const paste = 'Paste';
export const cut = 'Cut';
export const clear = 'Clear cells';
export const setCell = (column: string) => `Set “${column}”`;
export const copied = (count: number) => (count === 1 ? '1 cell copied.' : `${count} cells copied.`);
export const leftCells = (count: number) =>
  count === 1 ? '1 cell found no place in the table.' : `${count} cells found no place in the table.`;
export const imported = (count: number) => (count === 1 ? '1 row added.' : `${count} rows added.`);
export const moreFaults = (count: number) => `${count} more like this.`;
export const ready = 'Ready';
export const needed = 'needed';

export const manyItems = (count: number) => (count === 1 ? '1 item' : `${count} items`);
export const missingFile = 'A file that this browser does not have';
export const wrongKind = (name: string, wanted: string) => `${name} is no ${wanted}.`;
export const sameName = (row: number) => `Row ${row} has the same name.`;
export const chooseFile = 'Choose a file';
export const editCell = (column: string, row: number) => `${column}, row ${row}`;
export const addressHint = 'https://…';
