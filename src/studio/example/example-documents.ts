import planets from '../../../examples/planets/project.json' with { type: 'json' };
import { LOOKS, type MediaEntry, type Project, withIds } from '../document/project.ts';

/** The files of the example, by field. */
export const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(planets.tier_list.items.map(({ id }) => [id, `${id}.png`])),
  star_flight: 'star-flight.jpg',
  orbit_view: 'orbit-view.jpg',
  robot_host: 'robot-host.jpg',
  music: 'music.wav',
};

const HOST = { x_percent: 66, y_percent: 4, width_percent: 31, height_percent: 36 };

const CLIPS: Project['timeline_data']['videos'] = [
  { id: 'flight', file_field: 'star_flight', start: 0, duration: 6, fade_in: 0.6 },
  { id: 'orbits', file_field: 'orbit_view', start: 6, duration: 14.4, fade_in: 0.8 },
  { id: 'host', file_field: 'robot_host', start: 6, duration: 13.2, fade_in: 0.6, ...HOST },
  { id: 'drift', file_field: 'star_flight', start: 20.4, duration: 9.6, fade_out: 1.8 },
];

/** Large enough for a preview, and fast to draw. */
export const PICTURE_PX = 448;
export const WIDE = { width: 1280, height: 720 };

/** The placeholder hash of a file that is not drawn yet. */
export function pendingHash(field: string): string {
  return `coming-${field}`;
}

/** The facts of each file before it is drawn, so that board, timeline and preview are complete from the start. */
function comingEntries(): Record<string, MediaEntry> {
  const entry = (field: string, name: string): MediaEntry => {
    const none = {
      hash: pendingHash(field),
      name,
      bytes: 0,
      duration: 0,
      width: 0,
      height: 0,
      alpha: false,
      sound: false,
    };
    if (name.endsWith('.wav')) {
      return {
        ...none,
        kind: 'audio',
        type: 'audio/wav',
        duration: planets.timeline_data.soundtracks[0]!.duration,
        sound: true,
      };
    }
    if (name.endsWith('.jpg')) return { ...none, kind: 'still', type: 'image/jpeg', ...WIDE };
    return { ...none, kind: 'still', type: 'image/png', width: PICTURE_PX, height: PICTURE_PX };
  };
  return Object.fromEntries(Object.entries(EXAMPLE_FILES).map(([field, name]) => [field, entry(field, name)]));
}

/** The planets, as `npm run example` renders them, with stills instead of clips. */
export function exampleDocuments(): Project {
  const { tier_list, timeline_data, settings } = planets;
  return {
    tier_list,
    timeline_data: withIds({
      videos: CLIPS,
      soundtracks: timeline_data.soundtracks,
      tier_blocks: timeline_data.tier_blocks,
      tier_tiles: timeline_data.tier_tiles,
      subtitles: timeline_data.subtitles,
    }),
    settings: settings as Project['settings'],
    media: Object.fromEntries(Object.entries(EXAMPLE_FILES).map(([field, name]) => [field, `media/${name}`])),
    studio: { media: {}, coming: comingEntries(), looks: LOOKS },
  };
}
