import { focusSoon } from '../keys/move-focus.ts';
import { isReachedByKey } from '../kit/reached-by-key.ts';

/** Opens the file dialog. If the button was reached by keyboard and disappears with the import, the first card gets the focus. */
export function chooseFiles(
  accept: string,
  take: (files: readonly File[]) => unknown,
  byKeys = isReachedByKey(),
): void {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept, multiple: true });
  input.addEventListener('change', async () => {
    await take([...(input.files ?? [])]);
    if (byKeys && document.activeElement === document.body) focusSoon('.tile[tabindex="0"]', '.pv-play', '.tl-list');
  });
  input.click();
}

/** Pictures, clips, sounds, subtitles, and other formats that the service may read. */
export const MEDIA_FILES =
  'image/*,video/*,audio/*,.heic,.avif,.tif,.tiff,.jxl,.mkv,.vob,.wmv,.wma,.ac3,.eac3,.wv,.amr,.srt,.vtt,.csv,.tsv';
