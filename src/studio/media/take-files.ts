import { isProjectFile, openProjectFile } from '../keeping/files-of-projects.ts';
import { face } from '../session.ts';
import { importFiles } from './import-files.ts';

/** Whatever was dropped, pasted or chosen: a project is opened, all else becomes part of the one that is open. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const project = files.find(isProjectFile);
  const media = files.filter((file) => !isProjectFile(file));
  const takeMedia = async () => {
    if (media.some(({ type }) => type.startsWith('image/'))) face.value = 'board';
    await importFiles(media);
  };
  // A project that comes with its media around it is opened first, and the media then find their places.
  await (project === undefined ? takeMedia() : openProjectFile(project, takeMedia));
}

/** The files of a drop, folders and all that is in them included, in the order of their names. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries must be asked for before anything is awaited.
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
