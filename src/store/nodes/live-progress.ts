import type { Changes } from './changes.ts';
import type { JobInProgress, Progress, RecordedProgress } from './progress.ts';
import { ShownProgress } from './shown-progress.ts';

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

function key(id: string, preset: string): string {
  return `${id}/${preset}`;
}
