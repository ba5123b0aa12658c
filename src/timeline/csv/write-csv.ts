/** A line of a table that spreadsheets read. Its end is that of RFC 4180. */
export function csvLine(cells: readonly string[], separator: ',' | '\t' = ','): string {
  return `${cells.map(quoted).join(separator)}\r\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
