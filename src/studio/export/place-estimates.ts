import { effect, type Signal, signal } from '@preact/signals';
import type { Project } from '../document/project.ts';
import type { PackedPlan } from '../session/packed-plan.ts';
import { unpacked } from '../session/packed-plan.ts';
import { service } from '../session/service.ts';
import { hasService } from '../session/service-state.ts';
import { planned, shownAtRest } from '../session/session.ts';
import { DeviceError } from './device-messages.ts';
import { faultWords } from './device-words.ts';
import { formatsToMake } from './export-choices.ts';
import { soonerPlace } from './export-place.ts';
import { pixelsOf, usualSeconds } from './place-speeds.ts';
import { faultsHere } from './render-here.ts';
import { testCard } from './run-test-card.ts';

/** What is known of an export on this device, before it begins. */
export type HereEstimate =
  | { readonly state: 'checking' }
  | { readonly state: 'refused'; readonly faults: readonly string[] }
  | { readonly state: 'possible'; readonly seconds: number; readonly isHardware: boolean };

/** What is known of an export on the service: null where nothing is. */
export interface ServiceEstimate {
  readonly seconds: number | null;
  /** Exports that are not finished. */
  readonly waiting: number | null;
}

export interface PlaceEstimates {
  readonly device: Signal<HereEstimate>;
  readonly service: Signal<ServiceEstimate>;
}

/** Edits follow each other closely. */
const QUIET_MS = 400;
const MOST_WAITING = 20;

/** Finds out where the next export is done sooner, and whether this browser can do it, until the signal ends it. */
export function estimatePlaces(ended: AbortSignal): PlaceEstimates {
  const estimates = {
    device: signal<HereEstimate>({ state: 'checking' }),
    service: signal<ServiceEstimate>({ seconds: null, waiting: null }),
  };
  let running = new AbortController();
  const dispose = effect(() => {
    const { of, isWhole, plans } = planned.value;
    const wanted = formatsToMake().flatMap((name) => [...plans].filter(([key]) => key === name));
    running.abort();
    if (of === null || of !== shownAtRest.value || !isWhole || wanted.length === 0) return;
    running = new AbortController();
    const { signal: stopped } = running;
    const timer = setTimeout(() => {
      void estimateHere(of, wanted, stopped, estimates.device).then(() => preferSooner(estimates));
      if (hasService) void estimateService(wanted, stopped, estimates.service).then(() => preferSooner(estimates));
    }, QUIET_MS);
    stopped.addEventListener('abort', () => clearTimeout(timer));
  });
  ended.addEventListener('abort', () => {
    dispose();
    running.abort();
  });
  return estimates;
}

type Wanted = readonly (readonly [preset: string, plan: PackedPlan])[];

/** Checks one format as a whole, and of the others that they can be encoded. */
async function estimateHere(of: Project, wanted: Wanted, ended: AbortSignal, to: Signal<HereEstimate>): Promise<void> {
  try {
    const [[preset, first]] = wanted as [Wanted[number]];
    const faults = await faultsHere({ project: of, preset, plan: first, signal: ended, short: null });
    if (faults.length > 0) throw new DeviceError(...faults);
    let seconds = 0;
    let isHardware = true;
    for (const [, plan] of wanted) {
      const { canvas, rate } = unpacked(plan);
      const { encoder } = await testCard({ width: canvas.width, height: canvas.height, rate }, ended);
      if (encoder === null) throw new DeviceError({ reason: 'encoder' });
      seconds += plan.totalFrames / encoder.framesASecond;
      isHardware &&= encoder.hardwareAcceleration === 'prefer-hardware';
    }
    const usual = usualSeconds('device', pixelsOf(wanted.map(([, plan]) => plan)));
    to.value = { state: 'possible', seconds: usual ?? seconds, isHardware };
  } catch (error) {
    if (!ended.aborted) to.value = { state: 'refused', faults: faultWords(error, of) };
  }
}

/** The time of the last export there, after those that are not finished. */
async function estimateService(wanted: Wanted, ended: AbortSignal, to: Signal<ServiceEstimate>): Promise<void> {
  const own = usualSeconds('service', pixelsOf(wanted.map(([, plan]) => plan)));
  try {
    const states = ['queued', 'rendering'] as const;
    const lists = await Promise.all(states.map((state) => service.list({ state, limit: MOST_WAITING, signal: ended })));
    const waiting = lists.flatMap(({ exports }) => exports);
    const before = waiting.map(({ duration, settings, progress, outputs }) => {
      const frames = (duration ?? 0) * settings.fps * Object.keys(outputs).length * (1 - progress);
      return usualSeconds('service', frames * settings.width * settings.height) ?? 0;
    });
    to.value = {
      seconds: own === null ? null : before.reduce((sum, seconds) => sum + seconds, own),
      waiting: waiting.length,
    };
  } catch {
    // Without an answer, such as without a key, nothing is known of the queue.
    if (!ended.aborted) to.value = { seconds: null, waiting: null };
  }
}

/** What was never chosen is where the video is there sooner, if that is known of both. */
function preferSooner({ device, service: there }: PlaceEstimates): void {
  if (!hasService) return;
  const [here, { seconds }] = [device.value, there.value];
  if (here.state === 'possible' && seconds !== null) soonerPlace.value = here.seconds < seconds ? 'device' : 'service';
  if (here.state === 'refused') soonerPlace.value = 'service';
}
