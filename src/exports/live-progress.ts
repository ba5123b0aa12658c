/**
 * Frames that are rendered but not yet recorded, by output: what makes progress smooth between two finished chunks.
 * Shown progress never falls, even when a crashed child has to start a chunk again.
 */
export class LiveProgress {
  readonly #inFlight = new Map<string, number>();
  readonly #shown = new Map<string, number>();

  /** Frames of the output beyond those recorded. */
  set(id: string, preset: string, frames: number): void {
    this.#inFlight.set(key(id, preset), frames);
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
    const done = Math.min(output.framesDone + (this.#inFlight.get(at) ?? 0), output.totalFrames);
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
