import { computed, effect, type Signal, signal } from '@preact/signals';
import type { Project } from '../document/project.ts';
import { type ExportStep, exportStep, type HereVideo, isUnderWay } from './export-progress.ts';

/** An export that this tab renders or has rendered. */
export interface MadeHere {
  /** The project as it was exported. */
  readonly project: Project;
  readonly formats: readonly string[];
  readonly step: Signal<ExportStep & { readonly step: 'here' }>;
  /** Frees what a finished file uses: its address and its parts. */
  readonly frees: (() => void)[];
}

/** The last one of each project, by project id. Their files last as long as the tab. */
const made = signal<ReadonlyMap<string, MadeHere>>(new Map());
/** Addresses of files that were downloaded. */
const downloaded = signal<ReadonlySet<string>>(new Set());

export function madeHere(id: string): MadeHere | null {
  return made.peek().get(id) ?? null;
}

export function keepMade(id: string, one: MadeHere): void {
  made.value = new Map([...made.peek(), [id, one]]);
}

/** Makes room for the next export of a project: frees its last one, and those of others that were downloaded. */
export function makeRoom(id: string): void {
  for (const [of, one] of made.peek()) if (of === id || !isOfUse(one)) freeMade(of);
}

export function freeMade(id: string): void {
  const { [id]: one, ...left } = Object.fromEntries(made.peek());
  for (const free of one?.frees.splice(0) ?? []) free();
  made.value = new Map(Object.entries(left));
}

/** Changes a video, also while another project is shown. */
export function changeMade({ step }: MadeHere, { preset, short }: HereVideo, change: Partial<HereVideo>): void {
  const before = step.peek();
  const videos = before.videos.map((video) =>
    video.preset === preset && video.short?.number === short?.number ? { ...video, ...change } : video,
  );
  step.value = { ...before, videos };
  if (exportStep.peek() === before) exportStep.value = step.peek();
}

export function noteDownload(url: string): void {
  downloaded.value = new Set([...downloaded.peek(), url]);
}

/** Whether something would be lost with it: it is being rendered, or a file was not downloaded. */
function isOfUse({ step }: MadeHere): boolean {
  return (
    isUnderWay(step.value) || step.value.videos.some(({ file }) => file !== null && !downloaded.value.has(file.url))
  );
}

const wouldLose = computed(() => [...made.value.values()].some(isOfUse));

// Before the tab closes, the browser asks.
effect(() => {
  if (!wouldLose.value) return;
  const asking = new AbortController();
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: asking.signal });
  return () => asking.abort();
});
