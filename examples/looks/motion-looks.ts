import { CLIP_TRANSITIONS } from '../../src/timeline/choices.ts';
import type { ShownProject } from './project-frames.ts';

/** Frames of each line of a sheet. */
export const MOMENTS = 6;

/** Each transition from before it to after it, a line each. (C58) */
export const TRANSITION_LOOKS: readonly ShownProject[] = CLIP_TRANSITIONS.map((kind) => ({
  tier_list: {},
  timeline_data: {
    videos: [
      { file_field: 'from', duration: 2, fit: 'cover' },
      { file_field: 'to', start: 2, duration: 2, fit: 'cover', transition: { kind, duration: 1 } },
    ],
  },
  settings: { background: '#101828' },
  pictures: { from: ['wide', 3], to: ['wide', 5] },
  at: [1.4, 1.7, 1.9, 2.1, 2.3, 2.6],
}));

/** What `ken_burns` does for some ids, and a motion that is asked for, over their slots. (C59) */
export const MOTION_LOOKS: readonly ShownProject[] = [
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, motion: 'ken_burns' })),
  { id: 'own', motion: { from: { x: 20, y: 30, scale: 1 }, to: { x: 70, y: 60, scale: 3 }, ease: 'linear' } },
].map((clip) => ({
  tier_list: {},
  timeline_data: { videos: [{ file_field: 'photo', duration: 6, fit: 'cover', ...clip }] },
  pictures: { photo: ['photo', 3] },
  at: Array.from({ length: MOMENTS }, (_, moment) => 0.5 + moment),
}));
