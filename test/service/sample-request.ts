import { createHash } from 'node:crypto';
import { makeClip } from '../fixtures/clips.ts';
import type { ExportRequest } from './export-client.ts';

/** A clip of three seconds with sound. */
export const CLIP = await makeClip({ frames: 90, width: 128, height: 72, sound: { seconds: 3 } });

/** A picture. */
export const PICTURE = await makeClip({
  frames: 1,
  width: 64,
  height: 64,
  codec: 'png',
  container: 'image2',
  muxOptions: { update: 1 },
});

/** A tier list of two, one of them with a picture. */
export const TIER_LIST = {
  title: 'Few, ranked',
  rows: [{ id: 'S', label: 'S', color: '#ff7f7f', item_ids: ['one', 'two'] }],
  items: [
    { id: 'one', name: 'One', file_field: 'picture' },
    { id: 'two', name: 'Two' },
  ],
};

/** Minimal entries, as the seed allows them, and empty lanes. */
export const TIMELINE = {
  videos: [{ id: 'v', file_field: 'clip', start: 0, duration: 3, trim_start: 0, trim_end: 3 }],
  audios: [],
  tier_blocks: [{ id: 'b', start: 1, duration: 2 }],
  tier_tiles: [{ id: 't', tier_item_id: 'one', position: 2 }],
  subtitles: [],
  soundtracks: [],
};

/** An export of three seconds; parts of it replaced or added. */
export function sampleRequest(
  other: { tier_list?: object; timeline_data?: object; settings?: object; callback_url?: string } = {},
): ExportRequest {
  return {
    documents: { tier_list: TIER_LIST, timeline_data: TIMELINE, ...other },
    files: { clip: CLIP.file, picture: PICTURE.file },
  };
}

/**
 * An export of so many seconds from one clip held and repeated: so many seconds of work in chunks of about ten. Pictures and
 * sound are unlike those of every other label: what is in the cache is not queued.
 */
export function longRequest(seconds: number, other: { settings?: object; label?: string } = {}): ExportRequest {
  const { settings, label = 'long' } = other;
  return {
    documents: {
      tier_list: { title: label },
      timeline_data: {
        videos: [{ id: 'v', file_field: 'clip', start: 0, duration: seconds, volume: volumeOf(label) }],
        subtitles: [{ id: 's', text: label, start: 0, duration: seconds }],
      },
      ...(settings && { settings }),
    },
    files: { clip: CLIP.file },
  };
}

/** Nearly 1, and another one for each label. */
function volumeOf(label: string): number {
  return 1 - createHash('sha256').update(label).digest().readUInt16BE() / 1_000_000;
}
