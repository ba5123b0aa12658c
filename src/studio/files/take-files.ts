import { type Entry, toMicros, withLane } from '../document/entries.ts';
import type { Landing } from '../document/media-commands.ts';
import { isProjectFile, openProjectFile } from '../keeping/files-of-projects.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { later } from '../kit/later.tsx';
import { say } from '../kit/messages.ts';
import { isReachedByKey } from '../kit/reached-by-key.ts';
import { editTimeline } from '../session/edit-timeline.ts';
import { decided, edit, face } from '../session/session.ts';
import * as texts from '../texts/en/page.ts';

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
    if (landing === null && media.some(isPicture)) face.value = 'board';
    // The times in a subtitle file count from the start of the video: dropped near the start, they stay as they are.
    const at = landing === null || landing.start < NEAR_START_SECONDS ? 0 : landing.start;
    for (const file of texts) await addSubtitles(file, at);
    const replacesItems = landing === null && media.some(isPicture) && (await hasExamples());
    if (media.length > 0) await (await importer()).importFiles(media, landing, { replacesItems });
    // After the pictures, which a table may name.
    for (const file of lists) await takeList(await file.text());
  };
  // A project that comes with its media is opened first, so that the media find their fields.
  await (project === undefined ? takeMedia() : openProjectFile(project, takeMedia));
}

const NEAR_START_SECONDS = 2;

const episodes = later(() => import('../keeping/episodes.ts'));

async function hasExamples(): Promise<boolean> {
  return decided.value.template?.episode !== undefined && (await episodes()).hasItemsOfTemplate();
}

function isPicture({ type }: File): boolean {
  return type.startsWith('image/');
}

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

const subtitleFiles = later(() => import('../../timeline/subtitle-file/read-subtitle-file.ts'));

/** Adds the cues of an SRT or WebVTT file as subtitles, from a time on. */
async function addSubtitles(file: Blob & { readonly name?: string }, at: number): Promise<void> {
  const { decodeSubtitleFile, readSubtitleFile } = await subtitleFiles();
  const text = decodeSubtitleFile(new Uint8Array(await file.arrayBuffer()));
  const cues = text === null ? [] : readSubtitleFile(text).cues;
  if (cues.length === 0) {
    say(texts.noSubtitles(file.name ?? texts.theFile), 'bad');
    return;
  }
  const fresh = cues.map((cue) => ({
    text: cue.text,
    start: toMicros(cue.start + at),
    duration: toMicros(Math.max(0.05, cue.end - cue.start)),
  }));
  editTimeline(texts.addSubtitles(fresh.length), (data) =>
    withLane(data, 'subtitles', [...(data.subtitles as readonly Entry[]), ...fresh]),
  );
}

const lists = later(() => import('../document/list-commands.ts'));

/** Adds pasted names or a table from a file as items, as one undo step. */
export async function takeList(text: string): Promise<void> {
  const { addListed, readList } = await lists();
  const listed = readList(text);
  if (listed.length === 0) {
    say(texts.noNames, 'bad');
    return;
  }
  const names = listed.length === 1 ? listed[0]!.name : texts.manyItems(listed.length);
  edit(texts.addNamed(names), (draft) => addListed(draft, listed));
  face.value = 'board';
  say(texts.addedListed(names));
}

/** Opens the file dialog. If the button was reached by keyboard and disappears with the import, the first card gets the focus. */
export function chooseFiles(
  accept: string,
  take: (files: readonly File[]) => unknown,
  byKeys = isReachedByKey(),
): void {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept, multiple: true });
  input.addEventListener('change', async () => {
    await take([...(input.files ?? [])]);
    if (byKeys && document.activeElement === document.body) focusSoon('.tile[tabindex="0"]', '.pv-play', '.tl-list');
  });
  input.click();
}

/** Pictures, clips, sounds, subtitles, and other formats that the service may read. */
export const MEDIA_FILES =
  'image/*,video/*,audio/*,.heic,.avif,.tif,.tiff,.jxl,.mkv,.vob,.wmv,.wma,.ac3,.eac3,.wv,.amr,.srt,.vtt,.csv,.tsv';
