import { effect, type ReadonlySignal, untracked } from '@preact/signals';
import type { Issue } from '../../../errors.ts';
import type { Project } from '../../document/project.ts';
import { startWorker, studioConfig } from '../../kit/assets.ts';
import { plannedFrom } from '../../media/planned-from.ts';
import { PlanChannel } from '../../session/packed-plan.ts';
import { showFaults } from '../../session/preview-faults.ts';
import { planned, project, shownAtRest, shownPresetName } from '../../session/session.ts';
import * as texts from '../../texts/en/preview.ts';
import { changesOf, type Documents } from './document-changes.ts';
import type { PlanOrder } from './plan-documents.ts';
import type { NextPreset, PlaceQuestion, PlaceReply, PlanQuestion, PlanReply, PlanRules } from './plan-worker.ts';

let ask: (question: PlaceQuestion) => void = () => {};
let onPlace: (reply: PlaceReply) => void = () => {};

/** Requests the box of an entry in a preset, from the latest plan; `whenPlaced` receives the reply. */
export function askPlace(question: PlaceQuestion): void {
  ask(question);
}

export function whenPlaced(listener: (reply: PlaceReply) => void): void {
  onPlace = listener;
}

/** Presets that are not shown are planned after this time without a change. */
const REST_MS = 400;

/**
 * Keeps `planned` up to date. One order runs and the latest waits; those between are skipped. The shown preset is planned first. The
 * others follow one by one when the project is unchanged for a moment.
 *
 * @param isDrawn whether the preview shows the last plan. During a drag the next order waits for it, because the plans between would
 * never be seen.
 */
export function startPlanning(isDrawn: ReadonlySignal<boolean>): void {
  const worker = startWorker('plan-worker');
  showFaults(worker);
  const { presets, limits } = studioConfig;
  worker.postMessage({ rules: { presets, limits } } satisfies PlanRules);
  let last: { readonly number: number; readonly of: Project } | null = null;
  let isBusy = false;
  let waiting: Project | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let sent: Documents = {};
  const channel = new PlanChannel();

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
    worker.postMessage({ next } satisfies NextPreset);
  };
  ask = (question) => worker.postMessage(question);
  worker.onmessage = ({ data }: MessageEvent<PlanReply | PlaceReply>) => {
    if ('place' in data) {
      onPlace(data);
      return;
    }
    // Also of an order that is over: the next plan is sent as what differs from this one.
    const plans = new Map([...data.outcome.plans].map(([name, plan]) => [name, channel.received(name, plan)]));
    const { number, of } = last!;
    if (data.number !== number) return;
    const { errors } = data.outcome;
    // Presets without a new plan keep the previous one.
    const all = errors.length > 0 ? plans : new Map([...planned.peek().plans, ...plans]);
    planned.value = {
      of,
      isWhole: data.done,
      ...data.outcome,
      plans: all,
      errors: errors.map((issue) => forPeople(issue, of)),
    };
    isBusy = false;
    if (waiting !== null) sendWaiting();
    else if (!data.done) resting = setTimeout(sendNext, REST_MS, number);
  };
  const sendWaiting = (): void => {
    const next = waiting;
    if (next === null || isBusy || (isDragged(next) && !isDrawn.peek())) return;
    waiting = null;
    void send(next);
  };
  effect(() => {
    waiting = project.value;
    // The end of a drag does not change the project, but now all presets need a plan.
    void shownAtRest.value;
    clearTimeout(resting);
    sendWaiting();
  });
  effect(() => {
    if (isDrawn.value) sendWaiting();
  });
}

/** Whether a project is the state of a gesture in progress. */
function isDragged(of: Project): boolean {
  return untracked(() => shownAtRest.value !== of && project.value === of);
}

/** The planner's message is for API clients, which upload files; here users drop them. */
function forPeople(issue: Issue, of: Project): Issue {
  if (issue.code !== 'media.not_uploaded') return issue;
  const field = issue.path.split('/').reduce<unknown>((at, key) => (key === '' ? at : (at as never)?.[key]), of);
  const name = of.media[String(field)]?.split('/').at(-1) ?? String(field);
  return { ...issue, message: texts.missingFile(name) };
}

async function orderOf(of: Project): Promise<Omit<PlanOrder, keyof PlanRules['rules']>> {
  const { running } = of.studio;
  const looked = untracked(() => shownPresetName.value);
  const names = studioConfig.presets.map(({ name }) => name);
  const shown = names.filter((name) => name === looked);
  return {
    ...(await plannedFrom(of)),
    ...(running && { running }),
    // During a drag only the shown preset is planned; the others follow at its end.
    presetNames: isDragged(of) ? shown : [...shown, ...names.filter((name) => name !== looked)],
  };
}
