import type { MediaFacts } from '../../src/plan/model/media-facts.ts';
import type { RequestDocuments } from '../../src/timeline/request-documents.ts';
import { facts, picture, sound, TIER_LIST } from '../request-builder.ts';

/** A request whose plan is stored as a golden text. */
export interface GoldenTimeline {
  readonly name: string;
  readonly documents: RequestDocuments;
  readonly media: Readonly<Record<string, MediaFacts>>;
  readonly preset?: string;
}

const clip = { a: facts('a') };
const clips = { a: facts('a'), b: facts('b', { width: 1080, height: 1920 }), c: facts('c', { duration: 8 }) };
const board = [{ id: 'w', start: 0, duration: 12 }];

function timeline(
  name: string,
  timeline_data: object,
  media: GoldenTimeline['media'] = clip,
  settings?: object,
): GoldenTimeline {
  return { name, documents: { tier_list: TIER_LIST, timeline_data, ...(settings && { settings }) }, media };
}

/** Clips that touch: the second begins where the first ends, to the decimal. */
function touching(name: string, fps: number): GoldenTimeline {
  const videos = Array.from({ length: 6 }, (_, i) => ({ id: `v${i}`, file_field: 'a', start: i * 1.7, duration: 1.7 }));
  return timeline(name, { videos }, clip, { fps });
}

const everyLane = {
  videos: [{ id: 'v', file_field: 'a', start: 0, duration: 14, trim_start: 3, trim_end: 20, volume: 0.5 }],
  audios: [{ id: 'au', file_field: 'b', start: 2.5, duration: 4, trim_start: 1, trim_end: 10 }],
  tier_blocks: [{ id: 'w', start: 1, duration: 12 }],
  tier_tiles: [
    { id: 't1', tier_item_id: 'chips', position: 2 },
    { id: 't2', tier_item_id: 'soup', position: 6.5 },
  ],
  subtitles: [{ id: 's', text: 'First, the chips', start: 2, duration: 3 }],
  soundtracks: [{ id: 'm', file_field: 'm', start: 0, duration: 14, volume: 0.2 }],
};
const everyMedia = { ...clips, m: sound('m') };

export const GOLDEN_TIMELINES: readonly GoldenTimeline[] = [
  timeline('seed-minimal-entries', {
    videos: [{ id: 'v1', file_field: 'a', start: 0, duration: 5, trim_start: 0, trim_end: 5 }],
    audios: [],
    tier_blocks: [{ id: 'b1', start: 1, duration: 3 }],
    tier_tiles: [{ id: 't1', tier_item_id: 'chips', position: 2 }],
    subtitles: [],
    soundtracks: [],
  }),
  timeline('lane-videos', { videos: [{ file_field: 'a' }] }),
  timeline('lane-audios', { audios: [{ file_field: 'a', start: 1, trim_start: 2, trim_end: 7, crop_x: 0.5 }] }),
  timeline(
    'lane-soundtracks',
    { soundtracks: [{ file_field: 'm', duration: 30, fade_out: 3 }] },
    { m: sound('m', 12) },
  ),
  timeline(
    'lane-soundtrack-loops',
    { soundtracks: [{ file_field: 'm', duration: 30, loop: true }] },
    { m: sound('m', 12) },
  ),
  timeline('lane-blocks', { tier_blocks: board }),
  timeline('lane-subtitles', {
    subtitles: [
      { text: 'plain', start: 0, duration: 2 },
      { text: 'two\nlines', start: 2, duration: 2, size: 64, align: 'middle', background_color: '#102030' },
      { text: 'low', start: 3, duration: 2, align: 'right', text_color: '#FFEE00', background_alpha: 25, y_percent: 4 },
      { text: '   ', start: 5, duration: 1 },
    ],
  }),
  timeline('every-lane', everyLane, everyMedia),
  { ...timeline('every-lane-portrait', everyLane, everyMedia), preset: 'portrait' },
  { ...timeline('every-lane-square', everyLane, everyMedia), preset: 'preset_three' },
  timeline(
    'overlaps',
    {
      videos: [
        { id: 'under', file_field: 'a', start: 0, duration: 10 },
        { id: 'portrait-over', file_field: 'b', start: 4, duration: 3 },
        {
          id: 'facecam',
          file_field: 'c',
          start: 5,
          duration: 8,
          x_percent: 70,
          y_percent: 65,
          width_percent: 28,
          height_percent: 30,
        },
      ],
    },
    clips,
  ),
  timeline(
    'hidden-clips-are-gone',
    {
      videos: [
        { id: 'hidden', file_field: 'b', start: 2, duration: 3 },
        { id: 'half-hidden', file_field: 'c', start: 4, duration: 4 },
        { id: 'cover', file_field: 'a', start: 1, duration: 5 },
      ],
    },
    clips,
  ),
  timeline(
    'fading-clips-hide-nothing',
    {
      videos: [
        { id: 'under', file_field: 'a', start: 0, duration: 6 },
        { id: 'over', file_field: 'c', start: 2, duration: 6, fade_in: 1, fade_out: 1.5 },
      ],
    },
    clips,
  ),
  timeline('gaps', {
    videos: [
      { id: 'late', file_field: 'a', start: 2.5, duration: 1 },
      { id: 'later', file_field: 'a', start: 7, duration: 1, trim_start: 30 },
    ],
  }),
  touching('touching-23.976', 23.976),
  touching('touching-29.97', 29.97),
  touching('touching-59.94', 59.94),
  timeline(
    'speeds',
    {
      videos: [
        { id: 'slow', file_field: 'a', start: 0, duration: 4, speed: 0.5 },
        { id: 'fast', file_field: 'a', start: 4, duration: 4, speed: 3, trim_start: 10 },
        { id: 'unbounded', file_field: 'c', start: 8, speed: 2 },
        { id: 'ntsc', file_field: 'a', start: 12, duration: 1, speed: 1.001 },
      ],
    },
    clips,
  ),
  timeline('crop-units', {
    videos: [
      { id: 'fraction', file_field: 'a', start: 0, duration: 1, crop_x: 0.25, crop_y: 0.25, crop_w: 0.5, crop_h: 0.5 },
      { id: 'percent', file_field: 'a', start: 1, duration: 1, crop_x: 10, crop_y: 0, crop_w: 80, crop_h: 100 },
      { id: 'pixel', file_field: 'a', start: 2, duration: 1, crop_x: 420, crop_y: 0, crop_w: 1080, crop_h: 1080 },
      { id: 'partial', file_field: 'a', start: 3, duration: 1, crop_x: 0.5 },
      { id: 'zeros', file_field: 'a', start: 4, duration: 1, crop_x: 0, crop_y: 0, crop_w: 0, crop_h: 0 },
    ],
  }),
  timeline(
    'crop-unit-said',
    {
      videos: [{ file_field: 'a', duration: 1, crop_x: 1, crop_y: 1, crop_w: 50, crop_h: 50 }],
    },
    clip,
    { crop_unit: 'pixel' },
  ),
  timeline(
    'trim-leaves-too-little',
    {
      videos: [
        { id: 'held', file_field: 'c', start: 0, duration: 10 },
        { id: 'maybe-cut', file_field: 'a', start: 10, duration: 40, trim_start: 5, trim_end: 10 },
      ],
    },
    clips,
  ),
  timeline(
    'trim-end-as-cut',
    {
      videos: [{ file_field: 'a', trim_start: 5, trim_end: 10 }],
    },
    clip,
    { trim_end_as: 'cut' },
  ),
  timeline('reveals-closer-than-their-animation', {
    tier_blocks: board,
    tier_tiles: [
      { tier_item_id: 'nuts', position: 2.1 },
      { tier_item_id: 'chips', position: 2 },
      { tier_item_id: 'soup', position: 2.2 },
      { tier_item_id: 'fruit', position: 8 },
      { tier_item_id: 'fruit', position: 9 },
    ],
  }),
  timeline(
    'reveals-spotlight',
    {
      tier_blocks: [
        { start: 0, duration: 3 },
        { start: 5, duration: 3, x_percent: 50, width_percent: 100 },
      ],
      tier_tiles: [
        { tier_item_id: 'nuts', position: 2.5 },
        { tier_item_id: 'chips', position: 6 },
        { tier_item_id: 'soup', position: 20 },
      ],
    },
    {},
    { reveal: 'spotlight', fps: 25 },
  ),
  timeline(
    'reveals-none',
    {
      tier_blocks: board,
      tier_tiles: [
        { tier_item_id: 'nuts', position: 2 },
        { tier_item_id: 'chips', position: 2 },
      ],
    },
    {},
    { reveal: 'none' },
  ),
  timeline('block-without-percents', {
    tier_blocks: [
      { start: 1, duration: 2 },
      { start: 4, duration: 2, height_percent: 30 },
    ],
  }),
  timeline('block-off-canvas', {
    tier_blocks: [
      { start: 0, duration: 2, x_percent: -40, width_percent: 60 },
      { start: 0, duration: 2, x_percent: 100 },
    ],
  }),
  timeline('alias-array', { tier_block: [{ id: 'b1', start: 0, duration: 4 }] }),
  timeline('alias-object', { tier_block: { id: 'b1', start: 0, duration: 4 } }),
  timeline('alias-and-name', {
    tier_block: { id: 'x', start: 0, duration: 9 },
    tier_blocks: [{ id: 'b1', start: 0, duration: 4 }],
  }),
  {
    name: 'legacy-manifest-list',
    documents: {
      timeline_json: {
        tier_list: {
          ...TIER_LIST,
          items: [{ id: 'chips', name: 'Chips', media_id: 'img' }, { id: 'nuts' }, { id: 'fruit' }],
        },
        settings: { preset: 'square', fps: 24 },
        videos: [{ id: 'v', media_id: 'm1', start: 0, duration: 3 }],
        tier_blocks: [{ id: 'b', start: 0, duration: 3 }],
      },
      media_manifest: [
        { id: 'm1', file_field: 'a' },
        { id: 'img', file_field: 'p' },
      ],
    },
    media: { a: facts('a'), p: picture('p') },
  },
  {
    name: 'legacy-manifest-object',
    documents: {
      tier_list: TIER_LIST,
      timeline_json: {
        videos: [
          { id: 'v', media_id: 'm1', start: 0, duration: 3 },
          { id: 'w', file_field: 'b', start: 3, duration: 2 },
        ],
        soundtracks: [{ media_id: 'm2', duration: 5 }],
      },
      media_manifest: { m1: 'a', m2: { file_field: 'm' } },
    },
    media: everyMedia,
  },
  {
    name: 'legacy-and-public',
    documents: {
      tier_list: TIER_LIST,
      timeline_data: { videos: [{ file_field: 'a', duration: 2 }] },
      timeline_json: { videos: [{ media_id: 'gone', duration: 9 }], settings: { fps: 50 } },
    },
    media: clip,
  },
  timeline(
    'stills-and-animations',
    {
      videos: [
        { id: 'photo', file_field: 'p', start: 0, duration: 3, fit: 'blur' },
        { id: 'gif', file_field: 'g', start: 3, duration: 5 },
        {
          id: 'sticker',
          file_field: 's',
          start: 1,
          duration: 6,
          x_percent: 5,
          y_percent: 5,
          width_percent: 20,
          height_percent: 20,
        },
      ],
    },
    {
      p: picture('p', 600, 800),
      g: facts('g', { kind: 'animation', duration: 1.2, width: 480, height: 270, sound: false }),
      s: { ...picture('s', 256, 256), alpha: true },
    },
  ),
  timeline(
    'fits',
    {
      videos: [
        { id: 'contain', file_field: 'b', start: 0, duration: 2 },
        { id: 'cover', file_field: 'b', start: 2, duration: 2, fit: 'cover' },
        { id: 'blur', file_field: 'b', start: 4, duration: 2, fit: 'blur' },
        {
          id: 'zoomed',
          file_field: 'a',
          start: 6,
          duration: 2,
          x_percent: -50,
          y_percent: -50,
          width_percent: 200,
          height_percent: 200,
        },
      ],
    },
    clips,
    { background: '#202040' },
  ),
  timeline('settings-all', { videos: [{ file_field: 'a', duration: 2, volume: 150 }] }, clip, {
    preset: 'portrait',
    fps: 12.5,
    quality: 'high',
    width: 721,
    height: 1281,
    encoder_preset: 'slow',
    audio_bitrate: '256k',
    file_name: '../My "best": clip.MP4',
    fit: 'cover',
    background: '#ABCDEF',
    reveal: 'none',
    loudness: -14,
    volume_unit: 'percent',
  }),
  timeline('long-span-is-divided', {
    videos: [{ file_field: 'a', duration: 60 }],
    subtitles: [{ text: 'x', start: 26, duration: 3 }],
  }),
  timeline('shorter-than-a-frame', {
    videos: [{ file_field: 'a', start: 1, duration: 0.001 }],
    tier_blocks: [{ start: 0, duration: 0.01 }],
  }),
];
