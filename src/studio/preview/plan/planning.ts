import { effect, untracked } from '@preact/signals';
import type { Issue } from '../../../errors.ts';
import { heardTimeline } from '../../document/lane-switches.ts';
import { usedFields } from '../../document/media-commands.ts';
import type { Project } from '../../document/project.ts';
import { startWorker, studioConfig } from '../../kit/assets.ts';
import { later } from '../../kit/later.tsx';
import { mediaFile } from '../../media/media-store.ts';
import { decided, mediaFacts, planned, project, shape } from '../../session/session.ts';
import * as texts from '../../texts/en/preview.ts';
import { changesOf, type Documents } from './document-changes.ts';
import type { PlanOrder } from './plan-documents.ts';
import type { NextShape, PlaceQuestion, PlaceReply, PlanQuestion, PlanReply, PlanRules } from './plan-worker.ts';

const subtitleFiles = later(() => import('../../../timeline/subtitle-file/read-subtitle-file.ts'));

/** Texts of subtitle files by the hash of their bytes. */
const subtitleTexts = new Map<string, string>();

let ask: (question: PlaceQuestion) => void = () => {};
let onPlace: (reply: PlaceReply) => void = () => {};

/** Asks where an entry stands in a shape, as far as it is planned; the answer comes to `whenPlaced`. */
export function askPlace(question: PlaceQuestion): void {
  ask(question);
}

export function whenPlaced(listener: (reply: PlaceReply) => void): void {
  onPlace = listener;
}

/** So long nothing must change before the shapes that nobody looks at are planned. */
const REST_MS = 400;

/**
 * Keeps `planned` up to the project, from now on: one order is under way, the latest one waits, those between are never planned. The
 * shape that is looked at comes first; the others follow one by one when nothing has changed for a moment.
 */
export function startPlanning(): void {
  const worker = startWorker('plan-worker');
  const { presets, limits } = studioConfig;
  worker.postMessage({ rules: { presets, limits } } satisfies PlanRules);
  let last: { readonly number: number; readonly of: Project } | null = null;
  let isBusy = false;
  let waiting: Project | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sent: Documents = {};

  const send = async (of: Project): Promise<void> => {
    const number = (last?.number ?? 0) + 1;
    last = { number, of };
    isBusy = true;
    const { documents, ...order } = await orderOf(of);
    const changes = changesOf(sent, documents as Documents);
    sent = documents as Documents;
    worker.postMessage({ number, order, changes } satisfies PlanQuestion);
  };
  const sendNext = (next: number): void => {
    isBusy = true;
    worker.postMessage({ next } satisfies NextShape);
  };
  ask = (question) => worker.postMessage(question);
  worker.onmessage = ({ data }: MessageEvent<PlanReply | PlaceReply>) => {
    if ('place' in data) {
      onPlace(data);
      return;
    }
    const { number, of } = last!;
    if (data.number !== number) return;
    const { plans, errors } = data.outcome;
    // Of the shapes that are not planned yet, or not while something is dragged, the plans of before stay.
    const all = errors.length > 0 ? plans : new Map([...planned.peek().plans, ...plans]);
    planned.value = { of, ...data.outcome, plans: all, errors: errors.map((issue) => forPeople(issue, of)) };
    isBusy = false;
    const next = waiting;
    waiting = null;
    if (next !== null) void send(next);
    else if (!data.done) resting = setTimeout(sendNext, REST_MS, number);
  };
  effect(() => {
    const next = project.value;
    // What was dragged and is let go is the same project, but all its shapes are wanted now.
    void decided.value;
    clearTimeout(resting);
    if (isBusy) waiting = next;
    else void send(next);
  });
}

/** The planner speaks to programs, which upload files; here somebody drops them. */
function forPeople(issue: Issue, of: Project): Issue {
  if (issue.code !== 'media.not_uploaded') return issue;
  const field = issue.path.split('/').reduce<unknown>((at, key) => (key === '' ? at : (at as never)?.[key]), of);
  const name = of.media[String(field)]?.split('/').at(-1) ?? String(field);
  return { ...issue, message: texts.missingFile(name) };
}

async function orderOf(of: Project): Promise<Omit<PlanOrder, keyof PlanRules['rules']>> {
  const { tier_list, settings } = of;
  const looked = untracked(() => shape.value);
  const names = studioConfig.presets.map(({ name }) => name);
  const shown = names.filter((name) => name === looked);
  const isDragged = untracked(() => decided.value !== of && project.value === of);
  const facts = untracked(() => new Map(mediaFacts.value));
  const texts = await subtitleTextsOf(of);
  for (const field of texts.keys()) facts.delete(field);
  return {
    documents: { tier_list, timeline_data: heardTimeline(of), settings },
    facts: mentioned(facts, of),
    subtitleTexts: texts,
    // While something is dragged, what is looked at is enough: the others follow when it is let go.
    shapes: isDragged ? shown : [...shown, ...names.filter((name) => name !== looked)],
  };
}

/** A file that waits in the bin is no mistake: the warning about files nobody uses is not for a page with a bin. */
function mentioned<T>(facts: ReadonlyMap<string, T>, of: Project): Map<string, T> {
  const used = usedFields(of);
  return new Map([...facts].filter(([field]) => used.has(field)));
}

async function subtitleTextsOf({ timeline_data, studio }: Project): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { file_field: field } of timeline_data.subtitle_files) {
    const hash = studio.media[field]?.hash;
    if (hash === undefined) continue;
    const known = subtitleTexts.get(hash) ?? (await readText(hash));
    if (known === null) continue;
    subtitleTexts.set(hash, known);
    texts.set(field, known);
  }
  return texts;
}

async function readText(hash: string): Promise<string | null> {
  const file = await mediaFile(hash);
  if (file === null) return null;
  const { decodeSubtitleFile } = await subtitleFiles();
  return decodeSubtitleFile(new Uint8Array(await file.arrayBuffer()));
}
