/** Rates outside are a broken header. */
const MIN_RATE = 1000;
const MAX_RATE = 768_000;

/** More channels than any film has. node-av's resampler has room for this many planes and writes past them. */
const MAX_CHANNELS = 16;

/**
 * Whether sound of this kind can be played. If a header, or a frame in mid-stream, declares another kind, it is
 * skipped.
 */
export function isPlayableSound({ sampleRate, channels }: { sampleRate: number; channels: number }): boolean {
  return sampleRate >= MIN_RATE && sampleRate <= MAX_RATE && channels > 0 && channels <= MAX_CHANNELS;
}
