import type { RecordedProgress } from './progress.ts';

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
