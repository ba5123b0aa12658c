import type { Job } from '../../store/job-queue.ts';

/** The jobs an output is rendered by; ids say what they are for, so that adding them twice adds nothing. */
export function chunkJobs(exportId: string, preset: string, chunks: number, priority: number): Job[] {
  return Array.from({ length: chunks }, (_, chunk) => ({
    id: `${exportId}/${preset}/chunk/${chunk}`,
    exportId,
    kind: 'chunk',
    preset,
    chunk,
    priority,
  }));
}

/** The job that makes the sound of all outputs. */
export function soundJob(exportId: string, priority: number): Job {
  return { id: `${exportId}/sound`, exportId, kind: 'sound', preset: null, chunk: null, priority };
}

/** The job that puts an output together once all its parts are there. */
export function assemblyJob(exportId: string, preset: string, priority: number): Job {
  return { id: `${exportId}/${preset}/assembly`, exportId, kind: 'assembly', preset, chunk: null, priority };
}
