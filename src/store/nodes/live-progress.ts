import type { Changes, JobInProgress, Progress, RecordedProgress } from './node-store.ts';

/** Followers read the export at each notice: often enough for a smooth progress bar, no more. */
const NOTIFY_EVERY_MS = 250;

/** The progress of renders in this process, for followers in this process. */
export class LiveProgress implements Progress {
  readonly #changes: Pick<Changes, 'notify'>;
  readonly #inFlight = new Map<string, Map<string, number>>();
  readonly #notifiedAtMs = new Map<string, number>();
  readonly #shown = new ShownProgress();

  constructor(changes: Pick<Changes, 'notify'>) {
    this.#changes = changes;
  }

  report({ exportId, id }: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void {
    for (const [preset, frames] of done) this.#set(exportId, preset, id, frames);
    if (performance.now() - (this.#notifiedAtMs.get(id) ?? 0) < NOTIFY_EVERY_MS) return;
    this.#notifiedAtMs.set(id, performance.now());
    this.#changes.notify(exportId);
  }

  async end({ exportId, id }: JobInProgress, presets: readonly string[]): Promise<void> {
    for (const preset of presets) this.#set(exportId, preset, id, 0);
    this.#notifiedAtMs.delete(id);
  }

  share(id: string, output: RecordedProgress): number {
    const byJob = this.#inFlight.get(key(id, output.preset))?.values() ?? [];
    return this.#shown.share(
      id,
      output,
      [...byJob].reduce((sum, frames) => sum + frames, 0),
    );
  }

  forget(id: string, presets: readonly string[]): void {
    for (const preset of presets) this.#inFlight.delete(key(id, preset));
    this.#shown.forget(id, presets);
  }

  #set(id: string, preset: string, jobId: string, frames: number): void {
    const at = key(id, preset);
    const byJob = this.#inFlight.get(at) ?? new Map<string, number>();
    if (frames > 0) byJob.set(jobId, frames);
    else byJob.delete(jobId);
    if (byJob.size > 0) this.#inFlight.set(at, byJob);
    else this.#inFlight.delete(at);
  }
}

/** The progress that was shown of outputs, so that it never decreases. */
export class ShownProgress {
  readonly #shown = new Map<string, number>();

  /** From 0 to 1; 1 only once the file exists. */
  share(id: string, output: RecordedProgress, inFlightHere = 0): number {
    if (output.completed) return 1;
    const at = key(id, output.preset);
    const done = Math.min(output.framesDone + output.framesInFlight + inFlightHere, output.totalFrames);
    const share = Math.min(done / Math.max(1, output.totalFrames), 0.99);
    const shown = Math.max(share, this.#shown.get(at) ?? 0);
    this.#shown.set(at, shown);
    return shown;
  }

  forget(id: string, presets: readonly string[]): void {
    for (const preset of presets) this.#shown.delete(key(id, preset));
  }
}

function key(id: string, preset: string): string {
  return `${id}/${preset}`;
}
