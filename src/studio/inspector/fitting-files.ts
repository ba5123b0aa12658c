import type { Field } from '../../timeline/field.ts';
import { LANE_LOOKS } from '../document/lane-looks.ts';
import type { MediaEntry } from '../document/project.ts';

type Kinds = readonly MediaEntry['kind'][];

const PICTURES: Kinds = ['still', 'drawing', 'animation'];
const SOUNDS: Kinds = ['audio'];

/** The kinds of file that each chooser lists, by the owner of the field; fonts and sounds by the field name alone. */
const KINDS: Readonly<Record<string, Kinds>> = {
  item: PICTURES,
  background: ['still', 'animation'],
  video: kindsOf('videos'),
  audio: kindsOf('audios'),
  soundtrack: kindsOf('soundtracks'),
};

function kindsOf(lane: keyof typeof LANE_LOOKS): Kinds {
  return Object.keys(LANE_LOOKS[lane].takes) as MediaEntry['kind'][];
}

const FONT = /\.(ttf|otf|ttc|otc|woff2?)$/i;
const SUBTITLES = /\.(srt|vtt)$/i;

/** Whether a file fits a field. A file that the browser cannot read is judged by its name, since the service may read it. */
export function fitsField(
  { owner, row: { type } }: { readonly owner: string; readonly row: Pick<Field, 'type'> },
  file: Pick<MediaEntry, 'kind' | 'name'>,
): boolean {
  if (type === 'font') return FONT.test(file.name);
  if (owner === 'subtitleFile') return SUBTITLES.test(file.name);
  if (FONT.test(file.name) || SUBTITLES.test(file.name)) return false;
  const kinds = type === 'sound' ? SOUNDS : KINDS[owner];
  return kinds === undefined || file.kind === 'unreadable' || kinds.includes(file.kind);
}
