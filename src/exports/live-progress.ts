/**
 * Frames that are rendered but not yet recorded, by output and job: what makes progress smooth between two finished jobs.
 * Shown progress never falls, even when a crashed child has to start a chunk again.
 */
export class LiveProgress {
  readonly #inFlight = new Map<string, Map<string, number>>();
  readonly #shown = new Map<string, number>();

  /** Frames of the output that a job has done beyond those recorded; none once the job is over, well or badly. */
  set(id: string, preset: string, jobId: string, frames: number): void {
    const at = key(id, preset);
    const byJob = this.#inFlight.get(at) ?? new Map<string, number>();
    if (frames > 0) byJob.set(jobId, frames);
    else byJob.delete(jobId);
    if (byJob.size > 0) this.#inFlight.set(at, byJob);
    else this.#inFlight.delete(at);
  }

  /** What to show, from 0 to 1. Full only once the file is there. */
  share(
    id: string,
    output: {
      readonly preset: string;
      readonly framesDone: number;
      readonly totalFrames: number;
      readonly completed: boolean;
    },
  ): number {
    const at = key(id, output.preset);
    if (output.completed) return 1;
    const inFlight = [...(this.#inFlight.get(at)?.values() ?? [])].reduce((sum, frames) => sum + frames, 0);
    const done = Math.min(output.framesDone + inFlight, output.totalFrames);
    const share = Math.min(done / Math.max(1, output.totalFrames), 0.99);
    const shown = Math.max(share, this.#shown.get(at) ?? 0);
    this.#shown.set(at, shown);
    return shown;
  }

  /** Forgets an export that is over. */
  forget(id: string, presets: readonly string[]): void {
    for (const preset of presets) {
      this.#inFlight.delete(key(id, preset));
      this.#shown.delete(key(id, preset));
    }
  }
}

function key(id: string, preset: string): string {
  return `${id}/${preset}`;
}
