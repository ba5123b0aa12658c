/** Lets the person choose files. */
export function chooseFiles(accept: string, take: (files: readonly File[]) => unknown): void {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept, multiple: true });
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
}

/** Pictures, clips, sounds, subtitles; and whatever else the service may know better. */
export const MEDIA_FILES = 'image/*,video/*,audio/*,.heic,.avif,.tif,.tiff,.mkv,.srt,.vtt';
