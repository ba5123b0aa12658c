import { effect } from '@preact/signals';
import { cleanFileName } from '../../timeline/file-name.ts';
import type { Project } from '../document/project.ts';
import { studioConfig } from '../kit/assets.ts';
import { megabytes } from '../kit/shown-values.ts';
import { withShare } from '../kit/time-left.ts';
import type { PackedPlan } from '../session/packed-plan.ts';
import { allCame, decided, exported, planned } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import { DeviceError, type DeviceFault } from './device-messages.ts';
import { formatsToMake } from './export-choices.ts';
import { exportStep, type HereVideo, madeFormats, progressSamples } from './export-progress.ts';
import { MissingFile, renderHere } from './render-here.ts';

/** Frees what a finished file uses: its address and its parts. */
const frees: (() => void)[] = [];
/** The export that is shown; others have been stopped. */
let shown: AbortSignal | null = null;

/** Renders the chosen formats in this browser, one after the other. */
export async function exportHere(signal: AbortSignal): Promise<void> {
  shown = signal;
  progressSamples.value = [];
  for (const free of frees.splice(0)) free();
  exportStep.value = { step: 'waiting' };
  try {
    await allCame(signal);
    const project = decided.value;
    const formats = formatsToMake();
    exported.value = project;
    madeFormats.value = formats;
    const plans = await plansOf(project, formats, signal);
    const all = [...plans].map(
      ([preset, { canvas }]): HereVideo => ({
        ...{ preset, width: canvas.width, height: canvas.height },
        ...{ state: 'queued', share: 0, file: null, fault: null },
      }),
    );
    exportStep.value = { step: 'here', videos: all };
    for (const [preset, plan] of plans) await exportOne(preset, plan, project, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (shown === signal && exportStep.peek().step === 'waiting') exportStep.value = { step: 'stopped' };
  }
}

async function exportOne(preset: string, plan: PackedPlan, project: Project, signal: AbortSignal): Promise<void> {
  const put = (change: Partial<HereVideo>) => {
    if (shown === signal) show(preset, change);
  };
  if (signal.aborted) return put({ state: 'stopped' });
  put({ state: 'rendering' });
  try {
    const onProgress = (share: number, isFound: boolean) => {
      put({ share });
      // Time left is that of frames that are rendered.
      if (isFound) progressSamples.value = [];
    };
    const { file, release } = await renderHere({ preset, plan, signal, onProgress });
    const url = URL.createObjectURL(file);
    frees.push(() => URL.revokeObjectURL(url), release);
    put({ state: 'completed', share: 1, file: { url, name: fileName(project, preset), bytes: file.size } });
  } catch (error) {
    if (signal.aborted) put({ state: 'stopped' });
    else put({ state: 'failed', fault: faultWords(error, project) });
  }
}

function show(preset: string, change: Partial<HereVideo>): void {
  const now = exportStep.peek();
  if (now.step !== 'here') return;
  const videos = now.videos.map((video) => (video.preset === preset ? { ...video, ...change } : video));
  exportStep.value = { ...now, videos };
  const share = videos.reduce((sum, video) => sum + video.share, 0) / videos.length;
  progressSamples.value = withShare(progressSamples.value, share, Date.now());
}

/** The plans of these formats, once all are of the project. */
function plansOf(
  project: Project,
  formats: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PackedPlan>> {
  return new Promise((resolve, reject) => {
    const dispose = effect(() => {
      const { of, isWhole, plans } = planned.value;
      if (of === project && isWhole)
        resolve(new Map(formats.flatMap((name) => [...plans].filter(([key]) => key === name))));
    });
    signal.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', dispose);
  });
}

/** As the service names the file. */
function fileName({ settings, tier_list }: Project, preset: string): string {
  const label = studioConfig.presets.find(({ name }) => name === preset)?.aliases[0] ?? preset;
  const named = settings.file_name ?? tier_list.title ?? '';
  return cleanFileName(named === '' ? label : `${named.replace(/\.mp4$/i, '')}-${label}`);
}

function faultWords(error: unknown, project: Project): string {
  if (error instanceof MissingFile) return texts.missingFile(project.studio.media[error.field]?.name ?? error.field);
  const fault: DeviceFault = error instanceof DeviceError ? error.fault : { reason: 'other' };
  if (fault.reason === 'storage') return texts.hereNeedsSpace(megabytes(fault.bytes!));
  const words = texts.hereFaults[fault.reason];
  return fault.path === undefined ? words : texts.hereFaultOf(words, fileAt(project, fault.path));
}

/** The name of the file of an entry. */
function fileAt(project: Project, path: string): string {
  const entry = path.split('/').reduce<unknown>((at, key) => (key === '' ? at : (at as never)?.[key]), project);
  const field = (entry as { file_field?: string } | undefined)?.file_field;
  return (field !== undefined && project.studio.media[field]?.name) || path;
}
