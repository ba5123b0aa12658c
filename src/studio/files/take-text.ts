import { takeList } from './take-list.ts';

/** Text that was pasted: names, one a line, or a table. */
export async function takeText(text: string): Promise<void> {
  if (text.trim() !== '' && !isAddress(text)) await takeList(text);
}

function isAddress(text: string): boolean {
  return /^\s*https?:\/\/\S+\s*$/.test(text);
}
