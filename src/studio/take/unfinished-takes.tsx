import { useSignal } from '@preact/signals';
import { frames } from '../../time.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { say, UNDO_MS } from '../kit/messages.ts';
import { megabytes } from '../kit/shown-values.ts';
import { lastFrame } from '../session/edit-timeline.ts';
import { type UnfinishedTake, unfinishedTakes } from '../session/open-take.ts';
import { decided } from '../session/session.ts';
import * as texts from '../texts/en/take.ts';
import { discardTake, keepTake, readLog, writeLog } from './keep-take.ts';
import { partOf, wholeBytes } from './record/take-parts.ts';
import { takesFolder } from './record/takes-folder.ts';
import { putRecording } from './take.ts';

/** Offers each interrupted recording. */
export function UnfinishedTakes() {
  return (
    <div role="status">
      {unfinishedTakes.value.map((take) => (
        <p key={take.name} class="bar-note">
          <Icon name="record" />
          <span>{texts.unfinished(new Date(take.at).toLocaleString(), megabytes(take.bytes))}</span>
          <button type="button" class="bt" onClick={() => void useUnfinished(take)}>
            {texts.useUnfinished}
          </button>
          <Discard take={take} />
        </p>
      ))}
    </div>
  );
}

/** The names of discarded recordings, whose files may still be there. */
const discarded = new Set<string>();

/** Discards a recording after a second click. */
function Discard({ take }: { readonly take: UnfinishedTake }) {
  const isAsked = useSignal(false);
  if (!isAsked.value) {
    return (
      <button type="button" class="bt" onClick={() => (isAsked.value = true)}>
        {texts.discardUnfinished}
      </button>
    );
  }
  return (
    <>
      <button type="button" class="bt bad" onClick={() => discardUnfinished(take)}>
        {texts.discardAsked(megabytes(take.bytes))}
      </button>
      <button type="button" class="bt" onClick={() => (isAsked.value = false)}>
        {texts.keepUnfinished}
      </button>
    </>
  );
}

/** Finds recordings that were running when their page closed. Skips those of other open tabs. */
export async function findUnfinished(): Promise<void> {
  const found = new Map<string, UnfinishedTake>();
  try {
    const folder = await takesFolder();
    const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
    const names = (await Array.fromAsync(folder.keys())).filter((name) => !held.has(partOf(name).take));
    for (const name of names.sort((a, b) => partOf(a).number - partOf(b).number)) {
      const file = await (await folder.getFileHandle(name)).getFile();
      const bytes = await wholeBytes(file);
      const { take } = partOf(name);
      const before = found.get(take);
      if (bytes === 0) await folder.removeEntry(name);
      else {
        const files = [...(before?.files ?? []), name];
        found.set(take, { name: take, files, bytes: bytes + (before?.bytes ?? 0), at: file.lastModified });
      }
    }
  } catch {
    // Without storage there is nothing to find.
  }
  unfinishedTakes.value = [...found.values()].filter(({ name }) => !discarded.has(name));
}

/** Puts a recording on the timeline, with its actions if they are known. */
async function useUnfinished({ name, files }: UnfinishedTake): Promise<void> {
  const log = await readLog(name);
  const begins = new Map(log?.files.map((part) => [part.name, part.from]));
  // A file that was started after the last log entry is not in the log.
  const parts = files.map((file) => ({ name: file, from: begins.get(file) ?? null }));
  const kept = await keepTake(parts, decided.value.studio.media);
  if (kept.length === 0) {
    say(texts.unreadable, 'bad');
    return;
  }
  const { from, entry } = kept.at(-1)!;
  const found = {
    files: kept,
    at: frames(log?.at ?? lastFrame.value),
    seconds: from + entry.duration,
    cuts: [],
    performance: log === null ? { start: [], acts: [], up: null } : { ...log.performance, up: null },
    layout: log?.layout ?? null,
  };
  putRecording(found, studioConfig.presets);
  writeLog(null);
  gone(name);
}

/** Deletes the files once it cannot be undone any more. If the page closes before, the next one offers the recording again. */
function discardUnfinished(take: UnfinishedTake): void {
  gone(take.name);
  discarded.add(take.name);
  const deletes = setTimeout(() => void discardTake(take.files), UNDO_MS);
  say(texts.discarded, 'word', () => {
    clearTimeout(deletes);
    discarded.delete(take.name);
    unfinishedTakes.value = [...unfinishedTakes.value, take];
  });
}

function gone(name: string): void {
  unfinishedTakes.value = unfinishedTakes.value.filter((take) => take.name !== name);
}
