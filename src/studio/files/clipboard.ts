import { effect } from '@preact/signals';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { type Frames, frameAt } from '../../time.ts';
import { itemsIn, type Place, removeItems, rowOfItem } from '../document/board-commands.ts';
import { type Copied, copiedText, copyOf, isCopiedText, type Pasted } from '../document/copy-paste.ts';
import { type Entry, frameSlot } from '../document/entries.ts';
import { DRAWN_LANES } from '../document/lane-looks.ts';
import { removeEntries } from '../document/move-entries.ts';
import { entriesSelection, NOTHING } from '../document/selection.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { studioConfig } from '../kit/assets.ts';
import { later } from '../kit/later.tsx';
import { announce, say } from '../kit/messages.ts';
import { mediaFile } from '../media/media-store.ts';
import { editTimeline, timeRules } from '../session/edit-timeline.ts';
import { service } from '../session/service.ts';
import { hasService, keyWanted } from '../session/service-state.ts';
import { edit, face, playhead, project, selection } from '../session/session.ts';
import * as words from '../texts/en/commands.ts';
import { takeList } from './take-files.ts';

/** Copy, cut, paste and duplicate for entries of the timeline and items of the board. */

const reader = later(() => import('./read-copied.ts'));
const pasting = later(() => import('../document/copy-paste.ts'));
const importer = later(() => import('../media/import-files.ts'));

/** The last text copied in this page, for menus that may not read the clipboard. */
let lastText: string | null = null;

/** The selection as clipboard text; null if there is nothing to copy. */
export function copySelected(): string | null {
  const copied = copyOf(project.value, selection.value);
  if (copied === null) return null;
  lastText = copiedText(copied);
  announce(words.copied(countWords(countOf(copied))));
  return lastText;
}

export function cutSelected(): string | null {
  const text = copySelected();
  const chosen = selection.value;
  if (text === null) return null;
  if (chosen.kind === 'items') {
    edit(words.cutSome(words.items(chosen.ids.length)), (draft) => removeItems(draft, chosen.ids));
    focusSoon('.tile[tabindex="0"]', '.bh .bt', '.first .bt');
  } else if (chosen.kind === 'entries') {
    editTimeline(words.cutSome(words.entries(chosen.refs.length)), (data) =>
      removeEntries(
        data,
        chosen.refs.map(({ lane, id }) => ({ lane, index: data[lane].findIndex((entry) => entry.id === id) })),
      ),
    );
  }
  selection.value = NOTHING;
  return text;
}

/** For menus: writes to the clipboard if the browser allows it, and always to the page's own copy. */
export async function copyByMenu(how: typeof copySelected): Promise<void> {
  const text = how();
  if (text !== null) await navigator.clipboard?.writeText(text).catch(() => {});
}

export async function pasteByMenu(): Promise<void> {
  const text = await navigator.clipboard?.readText().catch(() => null);
  const found = text ?? lastText;
  if (found === null || found === '') say(words.nothingToPaste);
  else await pasteText(found);
}

/** Pastes text: something copied in a project, or else a list or a URL. */
export async function pasteText(text: string): Promise<void> {
  if (!isCopiedText(text)) {
    await takeText(text);
    return;
  }
  const copied = (await reader()).readCopied(text);
  if (copied === null) {
    say(words.damagedCopy, 'bad');
    return;
  }
  await put(words.pasteSome, copied, playhead.value as Frames);
}

/** Duplicates the selection after itself. */
export async function duplicateSelected(): Promise<void> {
  const copied = copyOf(project.value, selection.value);
  if (copied === null) return;
  const slots = DRAWN_LANES.flatMap((lane) =>
    (copied.timeline_data[lane] as readonly Entry[]).map((entry) => frameSlot(entry, timeRules.value)),
  );
  const [start, end] = [Math.min(...slots.map((slot) => slot.start)), Math.max(...slots.map((slot) => slot.end))];
  // Reveals have no length: place the copy a second later, so that both are visible.
  await put(words.duplicateSome, copied, (end > start ? end : start + frameAt(1, timeRules.value.rate)) as Frames);
}

async function put(label: (what: string) => string, copied: Copied, frame: Frames): Promise<void> {
  const { paste } = await pasting();
  const hashes = [...new Set(Object.values(copied.studio.media).map(({ hash }) => hash))];
  const here = new Set<string>();
  for (const hash of hashes) if ((await mediaFile(hash)) !== null) here.add(hash);
  let pasted: Pasted | null = null;
  edit(label(countWords(countOf(copied))), (draft) => {
    pasted = paste(
      draft,
      copied,
      { frame, place: placeForItems() },
      { times: timeRules.value, limits: studioConfig.limits, isHere: (hash) => here.has(hash) },
    );
  });
  if (pasted !== null) reportPasted(pasted);
}

function reportPasted({ entries, items, left, missing }: Pasted): void {
  for (const why of new Set(left)) say(words.leftOut[why]);
  if (missing.length > 0) {
    const names = missing.length > 3 ? `${missing.slice(0, 3).join(', ')} …` : missing.join(', ');
    say(words.missingFiles(names), 'bad');
  }
  if (items.length > 0) selection.value = { kind: 'items', ids: items };
  else if (entries.length > 0) selection.value = entriesSelection(entries);
  if (items.length + entries.length > 0) {
    announce(words.pasted(countWords({ items: items.length, entries: entries.length })));
  }
}

/** After the last selected item in its row, else at the end of the pool. */
function placeForItems(): Place {
  const chosen = selection.value.kind === 'items' ? selection.value.ids : [];
  const places = chosen.map((id) => {
    const row = rowOfItem(project.value, id)?.id ?? null;
    return { row, index: itemsIn(project.value, row).findIndex((item) => item.id === id) + 1 };
  });
  const last = places.at(-1);
  if (last === undefined) return { row: null, index: itemsIn(project.value, null).length };
  return places.filter(({ row }) => row === last.row).reduce((a, b) => (a.index > b.index ? a : b));
}

interface Count {
  readonly items: number;
  readonly entries: number;
}

function countOf({ tier_list, timeline_data }: Copied): Count {
  return { items: tier_list.items.length, entries: DRAWN_LANES.reduce((n, lane) => n + timeline_data[lane].length, 0) };
}

function countWords({ items, entries }: Count): string {
  return items > 0 ? words.items(items) : words.entries(entries);
}

/** Imports pasted or dropped text: URLs of pictures, names one a line, or a table. */
async function takeText(text: string): Promise<void> {
  const addresses = addressesIn(text);
  if (addresses !== null) await takeAddresses(addresses);
  else if (text.trim() !== '') await takeList(text);
}

/** The most URLs that are accepted at a time. */
const MAX_ADDRESSES = 50;

/** The URLs of a text that contains nothing else, one a line; null if it is another kind of text. */
function addressesIn(text: string): readonly URL[] | null {
  // A `text/uri-list` may have comments.
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const found = lines.map((line) => (/^\s*https?:\/\/\S+\s*$/.test(line) ? URL.parse(line.trim()) : null));
  return found.length > 0 && found.every((url) => url !== null) ? found : null;
}

/**
 * Adds pictures by their URLs, as items. The page's CSP forbids requests to other origins, so the service fetches them (C66). It
 * receives only the URL, nothing else of the project.
 */
async function takeAddresses(urls: readonly URL[]): Promise<void> {
  if (!hasService) return say(words.cannotFetch, 'bad');
  if (urls.length > MAX_ADDRESSES) say(words.firstAddresses(MAX_ADDRESSES));
  const files: File[] = [];
  for (const url of urls.slice(0, MAX_ADDRESSES)) {
    say(words.fetching(url.host));
    const file = await fetched(url);
    if (file !== null) files.push(file);
  }
  if (files.length === 0) return;
  face.value = 'board';
  await (await importer()).importFiles(files);
}

async function fetched(url: URL): Promise<File | null> {
  const stopTelling = effect(() => {
    if (keyWanted.value) say(words.keyBeforeFetch, 'bad');
  });
  try {
    const { media } = await service.fetchMedia(url.href);
    return new File([await service.bytes(media)], fileName(url));
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    say(error.errors[0]?.message ?? error.message, 'bad');
    return null;
  } finally {
    stopTelling();
  }
}

/** A file name from the path of the URL, else its host. */
function fileName({ pathname, host }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? host;
  try {
    return decodeURIComponent(last).replaceAll(/[/\\]/g, '_');
  } catch {
    return last;
  }
}
