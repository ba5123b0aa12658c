import { BACKGROUND_FIELDS } from '../../choices.ts';
import type { IssueList } from '../../issue-list.ts';
import { pointer } from '../../json/json-pointer.ts';
import { shownText } from '../../json/shown-value.ts';
import { filled } from '../../read-fields.ts';
import type { Timeline } from '../../request/export-request.ts';
import type { BackgroundSettings } from '../../request/settings.ts';
import type { RawSettings } from '../../schema.ts';
import { SETTINGS_FIELDS } from '../../settings-fields.ts';
import type { MediaNames } from '../media-names.ts';

const { settings, background } = SETTINGS_FIELDS;

const DEFAULT: BackgroundSettings = { kind: 'color', color: settings.background.default };

const WHAT_IT_IS = {
  colors: 'a list of 2 to 4 colours of the form "#rrggbb"',
  file_field: 'the form field of an image',
  of: 'the id of a clip',
} as const;

/** The background; reports missing fields, and warns about fields that its kind does not use. (C61) */
export function parseBackground(
  raw: RawSettings['background'],
  path: string,
  { media, issues }: { readonly media: MediaNames; readonly issues: IssueList },
): BackgroundSettings {
  if (raw === undefined) return DEFAULT;
  if (typeof raw === 'string') return { kind: 'color', color: raw.toLowerCase() };
  const { kind } = raw;
  const fields: readonly string[] = BACKGROUND_FIELDS[kind];
  for (const name of Object.keys(raw).filter((each) => each !== 'kind' && !fields.includes(each))) {
    const message = `${name} is not for a background of the kind "${kind}", which has ${fields.join(', ')}.`;
    issues.warn(pointer(path, name), 'field.unused', message);
  }
  const [needed] = BACKGROUND_FIELDS[kind];
  if (raw[needed] === undefined) {
    issues.error(path, 'field.required', `${shownText(needed)} is missing: it must be ${WHAT_IT_IS[needed]}.`);
    return DEFAULT;
  }
  const { angle, moving, blur, follow } = filled(background, raw);
  if (kind === 'gradient') return { kind, colors: raw.colors!.map((color) => color.toLowerCase()), angle, moving };
  if (kind === 'blur') return { kind, of: raw.of!, follow };
  return { kind, media: media.referAt(raw.file_field!, pointer(path, 'file_field')), blur };
}

/** A copy of a clip that is not there is an error. */
export function requireClip(
  background: BackgroundSettings,
  path: string,
  { videos }: Pick<Timeline, 'videos'>,
  issues: IssueList,
): void {
  if (background.kind !== 'blur' || videos.some(({ id }) => id === background.of)) return;
  const ids = videos.map(({ id }) => id);
  const others = ids.length === 0 ? ' There is no clip.' : issues.hintOrNames(background.of, ids);
  const message = `No entry of videos has the id ${shownText(background.of)}.${others}`;
  issues.error(pointer(path, 'of'), 'clip.unknown', message);
}
