/** A job of chunks that is running. */
export interface JobInProgress {
  readonly exportId: string;
  readonly id: string;
  /** Its first chunk: the same in every retry of the job, whole or divided. */
  readonly firstChunk: number;
}

/** The recorded progress of an output. */
export interface RecordedProgress {
  readonly preset: string;
  readonly framesDone: number;
  /** Of running jobs, as reported by other processes. */
  readonly framesInFlight: number;
  readonly totalFrames: number;
  readonly completed: boolean;
}

/**
 * Rendered frames that are not counted yet, for smooth progress between two finished jobs. Shown progress never
 * decreases, even if a crashed child restarts a chunk.
 */
export interface Progress {
  /** Reports the frames of each output that the job has rendered. Followers get notices at intervals. */
  report(job: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void;
  /**
   * The job has ended, with or without success. Await it before its frames are counted; otherwise they would briefly
   * count twice.
   */
  end(job: JobInProgress, presets: readonly string[]): Promise<void>;
  /** The progress to show, from 0 to 1. It is 1 only once the file exists. */
  share(id: string, output: RecordedProgress): number;
  /** Forgets an ended export. */
  forget(id: string, presets: readonly string[]): void;
}
