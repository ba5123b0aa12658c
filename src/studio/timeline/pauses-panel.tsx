import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { TiercutError } from '../../../packages/client/src/client.ts';
import { type Frames, type Range, type Seconds, secondsOf } from '../../time.ts';
import { type Entry, type EntryIndex, entryAt } from '../document/entries.ts';
import { keepLocked } from '../document/lane-switches.ts';
import { type MediaEntry, mediaOf } from '../document/project.ts';
import { cutTime, framesOfSource, joinedCuts, lostIn } from '../document/remove-pauses.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Icon } from '../kit/icon.tsx';
import { announce, say } from '../kit/messages.ts';
import { mediaFile } from '../media/media-store.ts';
import { editTimeline, timeRules } from '../session/edit-timeline.ts';
import { keyWanted, service, serviceGone, uploadMedia } from '../session/service.ts';
import { mediaShelf, pausesOf, project, rate, readOnly, timelineData } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { boxOf, scale, scrollTop } from './act/timeline-model.ts';
import { timeLabel, xOf } from './view/time-scale.ts';
import { RULER_PX } from './view/timeline-layout.ts';

/** The defaults of the service for a pause. (C78) */
const USUAL = { minPause: 0.4, padding: 0.1 };
/** Wait for the end of typing. */
const TYPING_MS = 300;

interface Heard {
  readonly pauses: readonly Range<Seconds>[];
  /** Why there is nothing to cut; null if there may be. */
  readonly fault: string | null;
}

/** An entry with its file. */
interface Source {
  readonly ref: EntryIndex;
  readonly entry: Entry;
  readonly media: MediaEntry;
}

/** The reviewed entries that still exist. */
function sourcesNow(): Source[] {
  return pausesOf.value!.flatMap(({ lane, id }) => {
    const ref = { lane, index: timelineData.value[lane].findIndex((entry) => entry.id === id) };
    const entry = entryAt(timelineData.value, ref);
    const media = entry?.file_field === undefined ? undefined : mediaOf(project.value, entry.file_field);
    return entry === undefined || media === undefined ? [] : [{ ref, entry, media }];
  });
}

/** Shows the pauses of entries on their bars, and removes them. (C78) */
export function PausesPanel() {
  const sources = sourcesNow();
  const files = [...new Map(sources.map(({ media }) => [media.hash, media])).values()];
  const hashes = files.map(({ hash }) => hash).join();
  const minPause = useSignal(USUAL.minPause);
  const padding = useSignal(USUAL.padding);
  const heard = useSignal<ReadonlyMap<string, Heard> | null>(null);
  /** Pauses to keep, by their keys. */
  const kept = useSignal<ReadonlySet<string>>(new Set());
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    heard.value = null;
    const ended = new AbortController();
    const typing = setTimeout(() => {
      const wanted = { minPause: minPause.value, padding: padding.value };
      const listening = files.map(async (file) => [file.hash, await listen(file, wanted, ended.signal)] as const);
      void Promise.all(listening).then((found) => {
        if (!ended.signal.aborted) heard.value = new Map(found);
      });
    }, TYPING_MS);
    return () => {
      clearTimeout(typing);
      ended.abort();
    };
  }, [hashes, minPause.value, padding.value]);
  useLayoutEffect(() => panel.current?.querySelector('input')?.focus(), []);
  useEffect(() => {
    // The entries may be removed, or the project closed, meanwhile.
    if (sources.length === 0) pausesOf.value = null;
  });
  if (sources.length === 0) return null;
  const shown = sources.flatMap(({ ref, entry, media }) =>
    (heard.value?.get(media.hash)?.pauses ?? []).flatMap((pause): ShownPause[] => {
      const [frames] = framesOfSource(entry, [pause], timeRules.value);
      const key = `${entry.id} ${pause.start}`;
      return frames === undefined ? [] : [{ ref, key, frames, isCut: !kept.value.has(key) }];
    }),
  );
  const chosen = shown.filter(({ isCut }) => isCut);
  // A pause can continue in the next clip.
  const cuts = joinedCuts(chosen.map(({ frames }) => frames));
  const toggle = (key: string) => {
    kept.value = kept.value.symmetricDifference(new Set([key]));
  };
  return (
    <>
      <Marks shown={shown} onToggle={toggle} />
      <section
        ref={panel}
        class="tl-recorder tl-pauses"
        aria-label={texts.removePauses}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          close();
        }}
      >
        <b>{texts.removePauses}</b>
        <SecondsField label={texts.shortestPause} value={minPause} min={0.1} max={60} />
        <SecondsField label={texts.padding} value={padding} min={0} max={5} />
        <p role="status">{wordsFor(files, heard.value, { found: shown.length, chosen: chosen.length }, cuts)}</p>
        <button
          type="button"
          class="bt prim"
          disabled={cuts.length === 0 || readOnly.value}
          onClick={() => cutOut(cuts, chosen.length)}
        >
          <Icon name="scissors" />
          {texts.cutPauses(chosen.length)}
        </button>
        <button type="button" class="bt" onClick={close}>
          {page.cancel}
        </button>
      </section>
    </>
  );
}

function close(): void {
  pausesOf.value = null;
  focusSoon('.tl-list');
}

function SecondsField({
  label,
  value,
  min,
  max,
}: {
  readonly label: string;
  readonly value: Signal<number>;
  readonly min: number;
  readonly max: number;
}) {
  return (
    <label>
      {label}
      <span class="unit-field">
        <input
          type="number"
          class="num"
          value={value.value}
          {...{ min, max }}
          step={0.05}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            if (valueAsNumber >= min && valueAsNumber <= max) value.value = Math.round(valueAsNumber * 1000) / 1000;
          }}
        />
        <span class="unit">{page.secondsUnit}</span>
      </span>
    </label>
  );
}

interface ShownPause {
  readonly ref: EntryIndex;
  readonly key: string;
  readonly frames: Range<Frames>;
  readonly isCut: boolean;
}

/** The pauses on the bars; each can be kept. */
function Marks({
  shown,
  onToggle,
}: {
  readonly shown: readonly ShownPause[];
  readonly onToggle: (key: string) => void;
}) {
  const x = (frame: Frames) => xOf(secondsOf(frame, rate.value), scale.value);
  return (
    <div class="tl-over" role="group" aria-label={texts.pauses}>
      {shown.map(({ ref, key, frames, isCut }) => {
        const box = boxOf(ref);
        if (box === null) return null;
        const start = secondsOf(frames.start, rate.value);
        const words = texts.pauseAt(timeLabel(start, true), inSeconds(frames.end - frames.start));
        return (
          <button
            key={key}
            type="button"
            class="tl-pause"
            aria-pressed={isCut}
            aria-label={texts.cutPause(words)}
            title={isCut ? texts.pauseIsCut(words) : texts.pauseStays(words)}
            style={{
              width: `${Math.max(4, x(frames.end) - x(frames.start))}px`,
              height: `${box.height}px`,
              transform: `translate(${x(frames.start)}px, ${box.y - scrollTop.value + RULER_PX}px)`,
            }}
            onClick={() => onToggle(key)}
          />
        );
      })}
    </div>
  );
}

function wordsFor(
  files: readonly MediaEntry[],
  heard: ReadonlyMap<string, Heard> | null,
  { found, chosen }: { readonly found: number; readonly chosen: number },
  cuts: readonly Range<Frames>[],
): string {
  if (heard === null) {
    if (keyWanted.value) return texts.keyForPauses;
    return serviceGone.value ? texts.noResponse : texts.findingPauses(files.map(({ name }) => name).join(', '));
  }
  const faults = [...heard.values()].flatMap(({ fault }) => fault ?? []);
  if (found === 0) return faults[0] ?? texts.noPauses;
  const gone = cuts.reduce((sum, { start, end }) => sum + end - start, 0);
  const lost = lostIn(timelineData.value, cuts, timeRules.value).length;
  return [
    texts.pausesFound(chosen, found, inSeconds(gone)),
    ...faults,
    ...(lost === 0 ? [] : [texts.entriesInPauses(lost)]),
    ...(timelineData.value.subtitle_files.length === 0 ? [] : [texts.subtitleFilesStay]),
  ].join(' ');
}

function inSeconds(frames: number): string {
  return page.seconds(Math.round(secondsOf(frames as Frames, rate.value) * 10) / 10);
}

/** One undo step, all or nothing: a lane that is not cut would be out of sync. */
function cutOut(cuts: readonly Range<Frames>[], pauses: number): void {
  const before = timelineData.value;
  const after = cutTime(before, cuts, timeRules.value);
  if (keepLocked(before, after, mediaShelf.value.lanes) !== after) {
    say(texts.lockedLane, 'bad');
    return;
  }
  editTimeline(texts.removePausesStep(pauses), () => after);
  const gone = cuts.reduce((sum, { start, end }) => sum + end - start, 0);
  announce(texts.pausesRemoved(pauses, inSeconds(gone)));
  close();
}

/** Asks the service for the pauses. */
async function listen(
  { hash, name }: { readonly hash: string; readonly name: string },
  wanted: { readonly minPause: Seconds; readonly padding: Seconds },
  signal: AbortSignal,
): Promise<Heard> {
  try {
    const file = await mediaFile(hash);
    if (file === null) return { pauses: [], fault: texts.missingFile(name) };
    await uploadMedia(hash, file, { signal });
    const { pauses, speech } = await service.pauses(hash, { ...wanted, signal });
    return { pauses, fault: speech.length === 0 ? texts.noVoice(name) : null };
  } catch (error) {
    if (signal.aborted) return { pauses: [], fault: null };
    if (!(error instanceof TiercutError)) throw error;
    return { pauses: [], fault: error.code === 'pauses.no_sound' ? page.noSound(name) : error.message };
  }
}
