import type { Steps } from '../document/history.ts';
import type { Project } from '../document/project.ts';
import { workerScope } from '../kit/worker-scope.ts';
import type { KeptProject } from './kept-project.ts';
import { type Saving, saveBeside, saveProject } from './project-store.ts';
import { holdReserve } from './reserve.ts';

/** A project to store, or its thumbnail. */
export type Keepable = { readonly id: string } & (
  | { readonly project: Project; readonly nowMs: number; readonly steps: Steps }
  | Required<Pick<KeptProject, 'picture'>>
);

export type KeepOrder = Keepable & { readonly number: number };

export interface KeepReply {
  readonly number: number;
  readonly outcome: Saving;
}

/** Each save reads and writes all versions, which would block the page for too long with a large project. */
workerScope.onmessage = async ({ data }: MessageEvent<KeepOrder>) => {
  const { number, id } = data;
  const outcome =
    'picture' in data
      ? await saveBeside(id, { picture: data.picture }).then(() => 'saved' as const)
      : await saveProject(id, data.project, data.nowMs, data.steps);
  workerScope.postMessage({ number, outcome } satisfies KeepReply);
  if (outcome === 'saved') await holdReserve();
};
