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
export const dropTable =
  'Only a table can be dropped here: a .csv, .tsv or .txt file. Files of a cell are chosen in the cell.';
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
export const leftRows = (count: number, most: number) =>
  `${count === 1 ? '1 row was' : `${count} rows were`} not added: a table has at most ${most} rows.`;
export const full = (most: number) => `A table has at most ${most} rows.`;
export const moreFaults = (count: number) => `${count} more like this.`;
export const ready = 'Ready';
export const needed = 'needed';

export const manyItems = (count: number) => (count === 1 ? '1 item' : `${count} items`);
export const missingFile = 'A file that this browser does not have';
export const wrongKind = (name: string, wanted: string) => `${name} is no ${wanted}.`;
export const sameName = (row: number) => `Row ${row} has the same name.`;
export const cellGone = (name: string) => `${name} was not put in: its cell is no longer in the table.`;
export const chooseFile = 'Choose a file';
export const editCell = (column: string, row: number) => `${column}, row ${row}`;
export const addressHint = 'https://…';

/** The batch of the table. */
export const exportAll = 'Export all';
export const exportVideos = (count: number) => (count === 1 ? 'Export 1 video' : `Export ${count} videos`);
export const formats = (names: string) => `Formats: ${names}`;
export const showBatch = 'Last export';
export const unnamed = (row: number) => `row-${row}`;
export const sending = 'Sending files and rows';
export const fileMissing = (name: string) => `${name} is not in this browser. Choose the file again.`;
export const aFile = 'A file';
export const noneLeft = 'No row to export is right: each has an error in the table.';
export const rowsToExport = 'Rows to export';
export const whichRows = {
  all: 'All rows',
  changed: 'Rows changed since the last export',
  chosen: 'Selected rows',
} as const;
export const pageFault = 'The page has a fault. Reload it and try again; the table is kept.';
export const tryAgain = 'Try again';
export const backToRows = 'Back to the table';
export const videosReady = (done: number, of: number) => `${done} of ${of} videos are ready`;
export const noBatches =
  'Only a service exports many rows at once, and this page has none. Export one as a new episode of the template, or render the saved table with: tiercut batch';
export const mayClose = 'You can close this page; the service goes on.';
export const allEnded = (wrong: number, cancelled: number) => {
  const parts = [
    ...(wrong === 0 ? [] : [wrong === 1 ? '1 row has an error' : `${wrong} rows have an error`]),
    ...(cancelled === 0 ? [] : [cancelled === 1 ? '1 row is cancelled' : `${cancelled} rows are cancelled`]),
  ];
  return parts.length === 0 ? 'All videos are ready.' : `${parts.join(', ')}.`;
};
export const moreLines = (count: number) => `${count} more rows are in the results.`;
export const downloadAll = 'Download all (.zip)';
export const packing = (done: number, of: number) => `Packing ${done} of ${of}`;
export const packFailed = 'The archive could not be made. Download the videos one by one.';
export const results = 'Results as CSV';
export const retry = (count: number) => (count === 1 ? 'Try 1 row again' : `Try ${count} rows again`);
export const cancelAll = 'Cancel the rest';
export const tryAgainOf = (name: string) => `Try ${name} again`;
export const cancelOne = 'Cancel';
export const cancelOf = (name: string) => `Cancel ${name}`;
export const rowGone = 'The row is no longer in the table.';
export const fix = 'Fix the row';
export const fixOf = (name: string) => `Fix the row ${name}`;
export const downloadOf = (name: string, format: string) => `Download ${name}, ${format}`;
export const states = {
  waiting: 'Waiting',
  queued: 'Waiting',
  rendering: 'Rendering',
  completed: 'Ready',
  failed: 'Failed',
  cancelled: 'Cancelled',
  invalid: 'Not made',
} as const;

export const rowForm = (row: number) => `Row ${row}`;
export const previousRow = 'Previous row';
export const nextRow = 'Next row';
