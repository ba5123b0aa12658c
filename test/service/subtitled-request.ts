import type { ExportRequest } from './export-client.ts';
import { CLIP, PICTURE, TIER_LIST } from './sample-request.ts';

/**
 * A timeline of so many seconds as people make them: clips one after the other, a board now and then, a subtitle every five
 * seconds, sound throughout. `edited`: the text of one subtitle in the middle is another one.
 */
export function subtitledRequest(seconds: number, edited: boolean): ExportRequest {
  const every = (step: number) => Array.from({ length: Math.floor(seconds / step) }, (_, n) => n * step);
  const changed = Math.floor(seconds / 10) * 5;
  return {
    documents: {
      tier_list: TIER_LIST,
      timeline_data: {
        videos: every(3).map((start) => ({ file_field: 'clip', start, duration: 3 })),
        tier_blocks: every(30).map((start) => ({ start: start + 10, duration: 15 })),
        tier_tiles: [{ tier_item_id: 'one', position: seconds / 2 }],
        subtitles: every(5).map((start) => ({
          text: edited && start === changed ? 'Changed' : `Words at ${start} seconds`,
          start,
          duration: 4,
        })),
      },
    },
    files: { clip: CLIP.file, picture: PICTURE.file },
  };
}
