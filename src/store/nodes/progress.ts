/** A job of chunks that is being rendered. */
export interface JobInProgress {
  readonly exportId: string;
  readonly id: string;
  /** The first of its chunks: the same in every retry of the job, whole or divided. */
  readonly firstChunk: number;
}

/** An output as far as it was recorded. */
export interface RecordedProgress {
  readonly preset: string;
  readonly framesDone: number;
  /** Of running jobs, as reported by other processes. */
  readonly framesInFlight: number;
  readonly totalFrames: number;
  readonly completed: boolean;
}

/**
 * Frames that are rendered but not yet counted: what makes progress smooth between two finished jobs. Shown progress never
 * falls, even when a crashed child has to start a chunk again.
 */
export interface Progress {
  /** Reports the frames of each output that the job has rendered. Followers get notices at intervals. */
  report(job: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void;
  /** The job is over, well or badly. Awaited before its frames are counted: else they would count twice for a moment. */
  end(job: JobInProgress, presets: readonly string[]): Promise<void>;
  /** What to show, from 0 to 1. Full only once the file is there. */
  share(id: string, output: RecordedProgress): number;
  /** Forgets an export that is over. */
  forget(id: string, presets: readonly string[]): void;
}
