import type { Landing } from '../document/media-commands.ts';
import { isProjectFile, openProjectFile } from '../keeping/files-of-projects.ts';
import { later } from '../kit/later.tsx';
import { face } from '../session/session.ts';
import { addSubtitles } from './add-subtitles.ts';
import { takeList } from './take-list.ts';

const importer = later(() => import('../media/import-files.ts'));

/**
 * Imports what was dropped, pasted or chosen. A project is opened, anything else is added to the open project. Subtitles become entries
 * of the timeline, a table becomes items.
 *
 * @param landing where on the timeline it was dropped, if there.
 */
export async function takeFiles(files: readonly File[], landing: Landing | null = null): Promise<void> {
  const project = files.find(isProjectFile);
  const texts = files.filter(isSubtitleFile);
  const lists = files.filter(isListFile);
  const media = files.filter((file) => ![isProjectFile, isSubtitleFile, isListFile].some((is) => is(file)));
  const takeMedia = async () => {
    if (landing === null && media.some(({ type }) => type.startsWith('image/'))) face.value = 'board';
    // The times in a subtitle file count from the start of the video: dropped near the start, they stay as they are.
    const at = landing === null || landing.start < NEAR_START_SECONDS ? 0 : landing.start;
    for (const file of texts) await addSubtitles(file, at);
    if (media.length > 0) await (await importer()).importFiles(media, landing);
    // After the pictures, which a table may name.
    for (const file of lists) await takeList(await file.text());
  };
  // A project that comes with its media is opened first, so that the media find their fields.
  await (project === undefined ? takeMedia() : openProjectFile(project, takeMedia));
}

const NEAR_START_SECONDS = 2;

function isListFile({ name }: File): boolean {
  return /\.(csv|tsv)$/i.test(name);
}

function isSubtitleFile({ name }: File): boolean {
  return /\.(srt|vtt)$/i.test(name);
}

/** The files of a drop, including those in folders, in name order. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries are valid only before the first await.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...transfer.files];
  const files = (await Promise.all(entries.map(filesIn))).flat();
  return files.filter(({ name }) => !name.startsWith('.'));
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return new Promise((resolve) =>
      (entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      ),
    );
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) break;
    inside.push(...some);
  }
  inside.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return (await Promise.all(inside.map(filesIn))).flat();
}
