import { frameRate } from '../../time.ts';
import { type ChosenSound, type EffectName, REVEAL_SOUNDS } from '../choices.ts';
import type { IssueList } from '../issue-list.ts';
import { pointer } from '../json/json-pointer.ts';
import type { TimelineLimits } from '../limits.ts';
import { findPreset, type Presets, unknownPreset } from '../presets.ts';
import { filled } from '../read-fields.ts';
import type { MediaRef } from '../request/media-ref.ts';
import type { Settings } from '../request/settings.ts';
import type { RawSettings, RequestSchemas } from '../schema.ts';
import { SETTINGS_FIELDS } from '../settings-fields.ts';
import { checkObject } from './check-schema.ts';
import type { MediaNames } from './media-names.ts';
import { findRow, type ParsedTierList } from './parse-tier-list.ts';
import { cleanFileName } from './settings/file-name.ts';
import { parseBackground } from './settings/parse-background.ts';
import { parseCaptionStyle, parseTheme } from './settings/parse-theme.ts';

const { settings: SETTINGS, card, board } = SETTINGS_FIELDS;

/**
 * Resolves the settings; reports invalid values and replaces them by their defaults, so that checking can go on. (C5)
 */
export function parseSettings(
  value: unknown,
  path: string,
  context: {
    readonly schemas: RequestSchemas;
    readonly presets: Presets;
    readonly limits: TimelineLimits;
    readonly tiers: ParsedTierList;
    readonly media: MediaNames;
    readonly issues: IssueList;
  },
): Settings {
  const { schemas, issues } = context;
  const raw = (value === undefined ? {} : checkObject(schemas.settings, value, path, issues)) ?? {};
  const basics = filled(SETTINGS, raw);
  const selected = resolvePreset(raw, path, context);
  return {
    ...basics,
    ...selected,
    rate: frameRate(basics.fps),
    audioBitrateKbps: kilobits(raw.audio_bitrate ?? SETTINGS.audio_bitrate.default(raw)),
    fileName: cleanFileName(raw.file_name?.trim() || context.tiers.tierList.title || 'export'),
    background: parseBackground(raw.background, pointer(path, 'background'), context),
    card: filled(card, raw.card ?? {}),
    board: filled(board, raw.board ?? {}),
    effects: readEffects(raw.effects ?? {}, pointer(path, 'effects'), context.tiers, issues),
    theme: parseTheme(raw.theme, pointer(path, 'theme'), context.media),
    subtitleStyle: parseCaptionStyle(raw.subtitle_style, pointer(path, 'subtitle_style'), context.media),
    revealSound: readSound(raw.reveal_sound, pointer(path, 'reveal_sound'), context.media),
    shorts: basics.shorts ? portraitPreset(selected, pointer(path, 'shorts'), context) : null,
  };
}

/** The effect of a landing in each row; reports ids that are not rows. (C55) */
function readEffects(
  sent: Readonly<Record<string, EffectName>>,
  path: string,
  tiers: ParsedTierList,
  issues: IssueList,
): EffectName[] {
  const effects = tiers.tierList.rows.map((): EffectName => 'none');
  for (const [id, effect] of Object.entries(sent)) {
    const row = findRow(id, pointer(path, id), tiers, issues);
    if (row >= 0) effects[row] = effect;
  }
  return effects;
}

/** A sound by its form field, else by its name, where it is one of ours. (C45) */
export function readSound(name: string | undefined, path: string, media: MediaNames): ChosenSound | MediaRef | null {
  if (name === undefined || name === 'none') return null;
  const made = media.has(name) ? undefined : REVEAL_SOUNDS.find((each) => each === name);
  return made ?? media.referAt(name, path, ` Made sounds: ${REVEAL_SOUNDS.join(', ')}.`);
}

function kilobits(bitrate: number | string): number {
  return Math.round(typeof bitrate === 'number' ? bitrate : Number.parseInt(bitrate, 10));
}

function resolvePreset(
  raw: RawSettings,
  path: string,
  { presets, limits, issues }: { presets: Presets; limits: TimelineLimits; issues: IssueList },
): Pick<Settings, 'preset' | 'width' | 'height'> {
  const preset = raw.preset === undefined ? presets[0] : findPreset(presets, raw.preset);
  if (preset === undefined) {
    issues.error(pointer(path, 'preset'), 'field.choice', unknownPreset('preset', raw.preset ?? '', presets));
  }
  const { name, width: presetWidth, height: presetHeight } = preset ?? presets[0];
  const given = { width: raw.width, height: raw.height };
  const { width: wide, height: high } = shaped(
    given,
    { width: presetWidth, height: presetHeight },
    limits.maxOutputSide,
  );
  const width = even(wide, pointer(path, 'width'), issues);
  const height = even(high, pointer(path, 'height'), issues);
  if (width * height > limits.maxOutputPixels) {
    const message = `width × height must be at most ${limits.maxOutputPixels} pixels, not ${width} × ${height}.`;
    issues.error(
      raw.width === undefined ? pointer(path, 'height') : pointer(path, 'width'),
      'settings.too_many_pixels',
      message,
    );
  }
  return { preset: name, width, height };
}

interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** One side alone keeps the shape of the preset; the other one is rounded to an even size within the limits. (C13) */
function shaped(
  given: { width: number | undefined; height: number | undefined },
  preset: CanvasSize,
  maxSide: number,
): CanvasSize {
  const { width, height } = given;
  if ((width === undefined) === (height === undefined))
    return { width: width ?? preset.width, height: height ?? preset.height };
  const other = (side: number) => Math.min(maxSide, Math.max(MIN_SIDE, 2 * Math.round(side / 2)));
  return width === undefined
    ? { width: other((height! * preset.width) / preset.height), height: height! }
    : { width, height: other((width * preset.height) / preset.width) };
}

const MIN_SIDE = 64;

/** The first preset that is taller than wide, as it is going to be rendered. (C52) */
function portraitPreset(
  selected: Pick<Settings, 'preset' | 'width' | 'height'>,
  path: string,
  { presets, issues }: { presets: Presets; issues: IssueList },
): string | null {
  const sized = presets.map((preset) => (preset.name === selected.preset ? { ...preset, ...selected } : preset));
  const portrait = sized.find(({ width, height }) => height > width);
  if (portrait === undefined) {
    issues.warn(path, 'shorts.no_portrait', 'No preset is taller than wide: there is nothing to cut shorts from.');
  }
  return portrait?.name ?? null;
}

/** H.264 in 4:2:0 has no odd sizes. (C13) */
function even(side: number, path: string, issues: IssueList): number {
  const rounded = Math.floor(side / 2) * 2;
  if (rounded !== side) issues.warn(path, 'settings.size_rounded', `${side} is rounded down to the even ${rounded}.`);
  return rounded;
}
