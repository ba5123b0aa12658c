/** The player of an export that is rendered or ready. */
export const watch = 'Watch';
export const loading = 'Loading the video …';
export const nothingToWatch = (state: string) => `Nothing to watch: ${state}`;
export const watchLater = 'Nothing to watch yet: this format is queued.';
export const watchSoon = 'Nothing to watch yet. Playback starts when the first seconds are rendered.';
export const qualityAndRate = (quality: string, fps: number | string) => `${quality}, ${fps} fps`;
export const length = 'Length';
export const reveals = 'Reveals';
