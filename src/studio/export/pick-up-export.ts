import { effect } from '@preact/signals';
import { type Export, TiercutError } from '../../../packages/client/src/client.ts';
import { projectId } from '../keeping/autosave.ts';
import { readProject, saveBeside } from '../keeping/project-store.ts';
import { service } from '../service/service.ts';
import { exported } from '../session/session.ts';
import { isOpen } from './export-progress.ts';
import { exportStep, isUnderWay, madeFormats } from './export-state.ts';
import { fetchChapters, follow, show, stopFollowing } from './follow-export.ts';

let asking: Promise<void> = Promise.resolve();
let leaving = new AbortController();

/** Resolves when it is known whether the service has an export of the open project. */
export function pickedUp(): Promise<void> {
  return asking;
}

/** Shows the last export of every project that is opened from now on, running or finished, while the service has it. */
export function pickUpExports(): void {
  effect(() => {
    const id = projectId.value;
    if (id === '') return;
    leaving.abort();
    leaving = new AbortController();
    const { step } = exportStep.peek();
    // An upload in progress continues.
    if (step === 'waiting' || step === 'uploading' || step === 'sending') return;
    stopFollowing();
    exportStep.value = { step: 'none' };
    exported.value = null;
    asking = pickUp(id, leaving.signal).catch(() => {});
  });
}

async function pickUp(id: string, signal: AbortSignal): Promise<void> {
  const made = (await readProject(id))?.made;
  if (made === undefined || made === null) return;
  try {
    const view = await service.status(made.exportId, { signal });
    signal.throwIfAborted();
    if (!isOfUse(view)) return await saveBeside(id, { made: null });
    exported.value = made.project;
    madeFormats.value = made.formats ?? null;
    show(view);
    void fetchChapters(view);
    if (isUnderWay(exportStep.value)) follow(view);
  } catch (error) {
    if (error instanceof TiercutError && error.status === 404) await saveBeside(id, { made: null });
  }
}

/** Whether any output is finished or running. Otherwise the button starts a new export. */
function isOfUse({ outputs }: Export): boolean {
  return Object.values(outputs).some((output) => isOpen(output) || output.state === 'completed');
}
