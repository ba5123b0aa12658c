import { signal as createSignal, effect } from '@preact/signals';
import type { Issue } from '../../errors.ts';
import { cleanFileName } from '../../timeline/file-name.ts';
import type { Project } from '../document/project.ts';
import { projectId } from '../keeping/autosave.ts';
import { studioConfig } from '../kit/assets.ts';
import { withShare } from '../kit/time-left.ts';
import { type PackedPlan, unpacked } from '../session/packed-plan.ts';
import { allCame, decided, exported, planned, tableOpen } from '../session/session.ts';
import { faultWords } from './device-words.ts';
import { formatsToMake } from './export-choices.ts';
import { type ExportStep, exportStep, type HereVideo, madeFormats, progressSamples } from './export-progress.ts';
import { changeMade, keepMade, type MadeHere, makeRoom } from './made-here.ts';
import { noteSpeed, pixelsOf } from './place-speeds.ts';
import { renderHere } from './render-here.ts';

/** Renders the chosen formats in this browser, one after the other. */
export async function exportHere(signal: AbortSignal): Promise<void> {
  const id = projectId.value;
  const waiting: ExportStep = { step: 'waiting' };
  progressSamples.value = [];
  makeRoom(id);
  exportStep.value = waiting;
  // While a row of the table is shown, the template is not planned.
  tableOpen.value = false;
  try {
    await allCame(signal);
    const { project, plans, errors } = await plannedWhole(signal);
    const [first] = errors;
    if (first !== undefined) {
      exportStep.value = { step: 'failed', message: first.message, issues: errors };
      return;
    }
    const formats = formatsToMake();
    exported.value = project;
    madeFormats.value = formats;
    const wanted = [...plansIn(formats, plans), ...shortsIn(plans)];
    const step = { step: 'here', videos: wanted.map(({ video }) => video), plans } as const;
    const made: MadeHere = { project, formats, step: createSignal(step), frees: [] };
    keepMade(id, made);
    exportStep.value = step;
    for (const one of wanted) await exportOne(one, made, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (exportStep.peek() === waiting) exportStep.value = { step: 'stopped' };
  }
}

/** A video and what it is made of. */
interface Wanted {
  readonly video: HereVideo;
  readonly plan: PackedPlan;
}

type Plans = ReadonlyMap<string, PackedPlan>;

/** The chosen formats, in their order. */
function plansIn(formats: readonly string[], plans: Plans): readonly Wanted[] {
  return formats.flatMap((preset) => {
    const plan = plans.get(preset);
    return plan === undefined ? [] : [{ plan, video: queued(preset, plan, null) }];
  });
}

/** All shorts, if the project wants them: they are cut from one format, which need not be chosen. (C52) */
function shortsIn(plans: Plans): readonly Wanted[] {
  return [...plans].flatMap(([preset, plan]) =>
    unpacked(plan).shorts.map(({ title }, index) => ({
      plan,
      video: queued(preset, plan, { number: index + 1, title }),
    })),
  );
}

function queued(preset: string, { canvas }: PackedPlan, short: HereVideo['short']): HereVideo {
  const { width, height } = canvas;
  return { preset, short, width, height, state: 'queued', share: 0, file: null, faults: [] };
}

async function exportOne({ video, plan }: Wanted, made: MadeHere, signal: AbortSignal): Promise<void> {
  const { preset } = video;
  const { project } = made;
  const number = video.short?.number ?? null;
  const put = (change: Partial<HereVideo>) => {
    changeMade(made, video, change);
    if (exportStep.peek() === made.step.peek()) noteProgress(made.step.peek().videos);
  };
  if (signal.aborted) return put({ state: 'stopped' });
  put({ state: 'rendering' });
  try {
    const begunMs = Date.now();
    let isFresh = true;
    const onProgress = (share: number, isFound: boolean) => {
      put({ share });
      isFresh &&= !isFound;
      // Time left is that of frames that are rendered.
      if (isFound) progressSamples.value = [];
    };
    const { file, release } = await renderHere({ project, preset, plan, signal, short: number }, onProgress);
    if (isFresh && number === null) noteSpeed('device', pixelsOf([plan]), Date.now() - begunMs);
    if (signal.aborted) {
      release();
      return put({ state: 'stopped' });
    }
    const url = URL.createObjectURL(file);
    made.frees.push(() => URL.revokeObjectURL(url), release);
    put({ state: 'completed', share: 1, file: { url, name: fileName(project, preset, number), bytes: file.size } });
  } catch (error) {
    if (signal.aborted) put({ state: 'stopped' });
    else put({ state: 'failed', faults: faultWords(error, project) });
  }
}

function noteProgress(videos: readonly HereVideo[]): void {
  const share = videos.reduce((sum, video) => sum + video.share, 0) / videos.length;
  progressSamples.value = withShare(progressSamples.value, share, Date.now());
}

interface PlannedWhole {
  readonly project: Project;
  readonly plans: Plans;
  readonly errors: readonly Issue[];
}

/** The project and the plans of all its formats, as soon as it rests. @throws the signal's reason. */
function plannedWhole(signal: AbortSignal): Promise<PlannedWhole> {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(signal.reason);
    signal.addEventListener('abort', stopped);
    if (signal.aborted) stopped();
    effect(function (this: { dispose(): void }) {
      const { of, isWhole, plans, errors } = planned.value;
      const project = decided.value;
      if ((of !== project || !isWhole) && !signal.aborted) return;
      signal.removeEventListener('abort', stopped);
      resolve({ project, plans, errors });
      this.dispose();
    });
  });
}

/** As the service names the file. */
function fileName({ settings, tier_list }: Project, preset: string, short: number | null): string {
  const alias = studioConfig.presets.find(({ name }) => name === preset)?.aliases[0] ?? preset;
  const label = short === null ? alias : `short-${short}`;
  const named = settings.file_name ?? tier_list.title ?? '';
  return cleanFileName(named === '' ? label : `${named.replace(/\.mp4$/i, '')}-${label}`);
}
