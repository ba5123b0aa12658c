import type { MediaEntry, Project } from '../document/project.ts';
import { takeIn } from '../media/import-files.ts';
import { takesFolder } from './record/take-file.ts';
import { wholeBytes } from './record/whole-part.ts';

/** A recording among the media; null where there is nothing in it. Its own file goes once it is there. */
export async function keepTake(name: string, shelf: Project['studio']['media']): Promise<MediaEntry | null> {
  const folder = await takesFolder();
  const file = await (await folder.getFileHandle(name)).getFile();
  const whole = file.slice(0, await wholeBytes(file));
  const ending = /\.\w+$/.exec(name)?.[0] ?? '';
  const type = ending === '.webm' ? 'video/webm' : 'video/mp4';
  const taken = await takeIn(new File([whole], `Take ${nextNumber(shelf)}${ending}`, { type }));
  if (typeof taken === 'string' || taken.kind === 'unreadable' || taken.duration === 0) return null;
  await folder.removeEntry(name).catch(() => {});
  return { ...taken, recorded: true, ...(taken.kind === 'audio' && { role: 'voice' }) };
}

function nextNumber(shelf: Project['studio']['media']): number {
  const numbers = Object.values(shelf).map(({ name }) => Number(/^Take (\d+)\./.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

export async function discardTake(name: string): Promise<void> {
  await (await takesFolder()).removeEntry(name).catch(() => {});
}
