import { effect } from '@preact/signals';
import { cleanFileName } from '../../timeline/file-name.ts';
import type { Project } from '../document/project.ts';
import { studioConfig } from '../kit/assets.ts';
import { withShare } from '../kit/time-left.ts';
import type { PackedPlan } from '../session/packed-plan.ts';
import { allCame, decided, exported, planned } from '../session/session.ts';
import { faultWords } from './device-words.ts';
import { formatsToMake } from './export-choices.ts';
import { exportStep, type HereVideo, madeFormats, progressSamples } from './export-progress.ts';
import { noteSpeed, pixelsOf } from './place-speeds.ts';
import { renderHere } from './render-here.ts';

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
        ...{ state: 'queued', share: 0, file: null, faults: [] },
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
    const begunMs = Date.now();
    let isFresh = true;
    const onProgress = (share: number, isFound: boolean) => {
      put({ share });
      isFresh &&= !isFound;
      // Time left is that of frames that are rendered.
      if (isFound) progressSamples.value = [];
    };
    const { file, release } = await renderHere({ preset, plan, signal }, onProgress);
    if (isFresh) noteSpeed('device', pixelsOf([plan]), Date.now() - begunMs);
    const url = URL.createObjectURL(file);
    frees.push(() => URL.revokeObjectURL(url), release);
    put({ state: 'completed', share: 1, file: { url, name: fileName(project, preset), bytes: file.size } });
  } catch (error) {
    if (signal.aborted) put({ state: 'stopped' });
    else put({ state: 'failed', faults: faultWords(error, project) });
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
