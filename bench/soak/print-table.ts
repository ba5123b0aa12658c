import { cpus } from 'node:os';

/** Prints the figures of a run as a Markdown table, with the day and the machine. */
export function printTable(table: Readonly<Record<string, string | number>>): void {
  const day = new Date().toISOString().slice(0, 10);
  console.log(`${day}, ${cpus().length} cores, Node ${process.version}\n\n| | |\n|---|---|`);
  for (const [name, value] of Object.entries(table)) console.log(`| ${name} | ${value} |`);
}
