import { addFiles, namedFields } from '../document/add-files.ts';
import { removeItems } from '../document/board-commands.ts';
import { defaultLength, type Landing } from '../document/media-commands.ts';
import type { MediaEntry } from '../document/project.ts';
import { soundWords } from '../document/sound-commands.ts';
import { startWorker, studioConfig } from '../kit/assets.ts';
import type { FileLimits } from '../kit/file-limits.ts';
import { say } from '../kit/messages.ts';
import { megabytes } from '../kit/shown-values.ts';
import { decided, edit, undo } from '../session/session.ts';
import * as texts from '../texts/en/import.ts';
import { addNamed } from '../texts/en/page.ts';
import type { ImportReply, ImportRequest } from './import-worker.ts';
import { askToStay, canKeep, importing, keepMedia, mediaFile } from './media-store.ts';
import { whyRefused } from './refused-file.ts';
import { thumbCame } from './thumb.tsx';

const WORKERS = Math.min(4, Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1));
/** Files added to the project at a time: a few hundred pictures fill the board as they arrive. */
const BATCH = 24;
/** Refused files that get a message each; further ones are only counted. */
const SHOWN_REFUSALS = 2;

/** The fault of a file that was not examined, because the program for it did not load: the service may have another version by now. */
const NOT_LOADED = 'not_loaded';

const workers = new Map<number, Worker>();
const waiting = new Map<number, (reply: ImportReply) => void>();
let lastId = 0;

/** Probes a file in a worker. With limits, the worker also stores the file if it is within them. */
export function examine(file: Blob, keepWithin: FileLimits | null = null): Promise<ImportReply> {
  lastId += 1;
  const request: ImportRequest = { id: lastId, file, keepWithin };
  return new Promise((resolve) => {
    waiting.set(request.id, resolve);
    workerOf(request.id).postMessage(request);
  });
}

/** The worker for a file: they take turns. */
function workerOf(id: number): Worker {
  const turn = id % WORKERS;
  const running = workers.get(turn);
  if (running !== undefined) return running;
  const worker = startWorker('import-worker');
  workers.set(turn, worker);
  worker.addEventListener('message', ({ data }: MessageEvent<ImportReply>) => answer(data));
  worker.addEventListener('error', () => {
    workers.delete(turn);
    for (const each of waiting.keys()) if (each % WORKERS === turn) answer({ id: each, fault: NOT_LOADED });
  });
  return worker;
}

function answer(reply: ImportReply): void {
  waiting.get(reply.id)?.(reply);
  waiting.delete(reply.id);
}

/** Imports files in the given order. Refused files are reported, the others are imported. @param replacesItems whether the items that are there are examples. */
export async function importFiles(
  files: readonly File[],
  landing: Landing | null = null,
  { replacesItems = false } = {},
): Promise<void> {
  if (files.length === 0) return;
  const before = importing.value ?? { done: 0, of: 0 };
  importing.value = { ...before, of: before.of + files.length };
  const refused: string[] = [];
  let next = landing;
  const examples = replacesItems ? decided.value.tier_list.items.map(({ id }) => id) : [];
  void askToStay();
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const taken = await Promise.all(batch.map((file) => takeIn(file).catch(() => texts.unreadableFile(file.name))));
    refused.push(...taken.filter((each) => typeof each === 'string'));
    const came = taken.filter((each) => typeof each !== 'string');
    if (came.length === 0) continue;
    const label = came.length === 1 ? addNamed(came[0]!.name) : texts.addFiles(came.length);
    const absent = await absentFields(came);
    const place = next;
    const before = decided.value;
    const gone = examples.splice(0);
    edit(label, (draft) => {
      if (gone.length > 0) removeItems(draft, gone);
      addFiles(draft, came, absent, place, studioConfig.presets);
    });
    const words = soundWords(before, decided.value);
    if (words !== null) say(words);
    if (next !== null)
      next = { ...next, start: next.start + came.reduce((sum, entry) => sum + defaultLength(entry), 0) };
  }
  importing.value = importing.value!.done >= importing.value!.of ? null : importing.value;
  for (const why of refused.slice(0, SHOWN_REFUSALS)) say(why, 'bad');
  if (replacesItems && examples.length === 0) say(texts.examplesReplaced, 'word', undo);
  if (refused.length > SHOWN_REFUSALS) say(texts.moreRefused(refused.length - SHOWN_REFUSALS), 'bad');
}

/** Fields with the name of one of these files whose own file is missing: the project came without its media. */
async function absentFields(came: readonly MediaEntry[]): Promise<ReadonlySet<string>> {
  const { studio } = decided.value;
  const fieldsNamed = namedFields(decided.value);
  const named = new Set(came.flatMap(({ name }) => fieldsNamed(name)));
  const absent = new Set<string>();
  for (const field of named) {
    const hash = studio.media[field]?.hash;
    const isComing = studio.coming?.[field] !== undefined;
    if (!isComing && (hash === undefined || (await mediaFile(hash)) === null)) absent.add(field);
  }
  return absent;
}

/** The entry of a file, or the reason why it is refused. */
export async function takeIn(file: File): Promise<MediaEntry | string> {
  try {
    if (file.size === 0) return texts.emptyFile(file.name);
    const { fileLimits } = studioConfig;
    // Checked before the probe, which may have to read hours of media.
    const tooLarge = whyRefused(file, 'video', fileLimits);
    if (tooLarge !== null) return tooLarge;
    const found = await examine(file, (await canKeep()) ? fileLimits : null);
    if ('fault' in found) return (found.fault === NOT_LOADED ? texts.notExamined : texts.unreadableFile)(file.name);
    const { hash, facts, thumb, kept, role } = found;
    const why = whyRefused(file, facts.kind, fileLimits);
    if (why !== null) return why;
    if (!(await keepMedia(hash, file, thumb, kept))) return texts.noRoom(file.name, megabytes(file.size));
    thumbCame(hash, facts.kind, thumb);
    return { ...facts, hash, name: file.name, bytes: file.size, type: file.type, ...(role && { role }) };
  } finally {
    importing.value = importing.value && { ...importing.value, done: importing.value.done + 1 };
  }
}
