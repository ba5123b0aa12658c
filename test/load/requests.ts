import type { ExportRequest } from '../service/export-client.ts';
import { CLIP, longRequest, PICTURE, TIER_LIST } from '../service/sample-request.ts';

const CLIP_SECONDS = 3;
/** Of video; two chunks. */
const SECONDS = 24;

/** An export that takes a moment, like none with another label. */
export function requestOf(label: string): ExportRequest {
  return longRequest(SECONDS, { label, settings: { quality: 'draft' } });
}

/** The same clip repeatedly, each time under other words, so that no two chunks are equal and none is still. */
export function movingRequest(label: string, seconds: number): ExportRequest {
  const starts = Array.from({ length: Math.ceil(seconds / CLIP_SECONDS) }, (_, n) => n * CLIP_SECONDS);
  return {
    documents: {
      tier_list: { title: label },
      timeline_data: {
        videos: starts.map((start, n) => ({ id: `v${n}`, file_field: 'clip', start, duration: CLIP_SECONDS })),
        subtitles: starts.map((start, n) => ({ id: `s${n}`, text: `${label} ${n}`, start, duration: CLIP_SECONDS })),
      },
    },
    files: { clip: CLIP.file },
  };
}

/** An export with something in every lane. Another label makes other pictures: nothing of it is in the cache. */
export function everyLane(label: string, seconds: number, settings: object = {}): ExportRequest {
  const half = seconds / 2;
  return {
    documents: {
      tier_list: { ...TIER_LIST, title: label },
      timeline_data: {
        videos: [
          { id: 'a', file_field: 'clip', start: 0, duration: half },
          { id: 'b', file_field: 'clip', start: half, duration: half, speed: 0.5, volume: 0.5 },
        ],
        audios: [{ file_field: 'clip', start: 0.5, duration: 1, volume: 0.3 }],
        soundtracks: [{ file_field: 'clip', start: 0, duration: seconds, volume: 0.2, loop: true }],
        tier_blocks: [{ start: 1, duration: seconds - 1 }],
        tier_tiles: [{ tier_item_id: 'one', position: 1.5 }],
        subtitles: [{ text: label, start: 0, duration: seconds }],
      },
      settings,
    },
    files: { clip: CLIP.file, picture: PICTURE.file },
  };
}

/** Requests that must be refused, each for another reason. */
export const INVALID: readonly ExportRequest[] = [
  { documents: { tier_list: '{', timeline_data: '{}' } },
  { documents: { tier_list: {}, timeline_data: {} } },
  { documents: { tier_list: {}, timeline_data: { videos: [{ file_field: 'nobody', duration: 1 }] } } },
  {
    documents: { tier_list: {}, timeline_data: { videos: [{ file_field: 'clip', duration: 1, speed: 1000 }] } },
    files: { clip: CLIP.file },
  },
  {
    documents: { tier_list: {}, timeline_data: { videos: [{ file_field: 'clip', duration: 1 }] } },
    files: { clip: new Blob(['this is no video']) },
  },
];
