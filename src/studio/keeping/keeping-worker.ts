import type { Steps } from '../document/history.ts';
import type { Project } from '../document/project.ts';
import { workerScope } from '../kit/worker-scope.ts';
import { saveProject } from './project-store.ts';

/** A project as it is to be kept. */
export interface KeepOrder {
  readonly number: number;
  readonly id: string;
  readonly project: Project;
  readonly nowMs: number;
  readonly steps: Steps;
}

export interface KeepReply {
  readonly number: number;
  readonly kept: boolean;
}

/** With each save all versions are read and written: of a large project that takes longer than a page may stand still. */
workerScope.onmessage = async ({ data }: MessageEvent<KeepOrder>) => {
  const { number, id, project, nowMs, steps } = data;
  const kept = await saveProject(id, project, nowMs, steps);
  workerScope.postMessage({ number, kept } satisfies KeepReply);
};
