import * as z from 'zod';
import { captionStyle } from './caption-style-schema.ts';
import {
  BACKGROUNDS,
  BOARD_LAYOUTS,
  CARD_FITS,
  CARD_NAMES,
  CARD_SHAPES,
  CROP_UNITS,
  EFFECTS,
  ENCODER_PRESETS,
  FITS,
  FONTS,
  POOLS,
  QUALITIES,
  REVEALS,
  THEMES,
  TRIM_END_READINGS,
  VOLUME_UNITS,
} from './choices.ts';
import { MAX_HOLD_SECONDS, type TimelineLimits } from './limits.ts';
import {
  bitrate,
  enumOf,
  HEX_COLOR,
  hexColor,
  hexColorOr,
  id,
  numberFrom,
  textUpTo,
  trueOrFalse,
} from './schema-leaves.ts';

const BACKGROUND = `${HEX_COLOR}, or an object with a kind`;
const GRADIENT_COLORS = 'a list of 2 to 4 colours of the form "#rrggbb"';

/** All settings of an export. */
export function settingsSchema(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const card = z.object(
    {
      shape: enumOf(CARD_SHAPES).optional(),
      fit: enumOf(CARD_FITS).optional(),
      names: enumOf(CARD_NAMES).optional(),
    },
    'an object',
  );
  const board = z.object({ layout: enumOf(BOARD_LAYOUTS).optional() }, 'an object with layout');
  const themeNames = `one of ${THEMES.map((name) => `"${name}"`).join(', ')}`;
  const theme = z.union(
    [
      z.enum(THEMES, themeNames),
      z.object({
        base: enumOf(THEMES).optional(),
        panel_color: hexColor.optional(),
        lane_color: hexColor.optional(),
        line_color: hexColor.optional(),
        text_color: hexColor.optional(),
        card_color: hexColor.optional(),
        panel_opacity: numberFrom(0, 100).optional(),
        corner: numberFrom(0, 100).optional(),
        glass: trueOrFalse.optional(),
        font: enumOf(FONTS).optional(),
        font_field: id.optional(),
      }),
    ],
    `${themeNames}, or an object based on one of them`,
  );

  /** `parse-background.ts` decides which fields a kind needs and accepts. (C61) */
  const background = z.union(
    [
      hexColorOr(BACKGROUND),
      z.object({
        kind: enumOf(BACKGROUNDS),
        colors: z.array(hexColor, GRADIENT_COLORS).min(2, GRADIENT_COLORS).max(4, GRADIENT_COLORS).optional(),
        angle: numberFrom(0, 360).optional(),
        moving: trueOrFalse.optional(),
        file_field: id.optional(),
        blur: numberFrom(0, 100).optional(),
        of: id.optional(),
        follow: trueOrFalse.optional(),
      }),
    ],
    BACKGROUND,
  );

  const side = numberFrom(64, limits.maxOutputSide);
  return z.object({
    preset: id.optional(),
    fps: numberFrom(1, limits.maxOutputFps).optional(),
    quality: enumOf(QUALITIES).optional(),
    width: side.optional(),
    height: side.optional(),
    encoder_preset: enumOf(ENCODER_PRESETS).optional(),
    audio_bitrate: bitrate.optional(),
    file_name: text.optional(),
    fit: enumOf(FITS).optional(),
    background: background.optional(),
    reveal: enumOf(REVEALS).optional(),
    reveal_hold: numberFrom(0, MAX_HOLD_SECONDS).optional(),
    card: card.optional(),
    board: board.optional(),
    pool: enumOf(POOLS).optional(),
    hidden_until_revealed: trueOrFalse.optional(),
    effects: z.record(id, enumOf(EFFECTS), 'an object').optional(),
    theme: theme.optional(),
    subtitle_style: captionStyle.optional(),
    reveal_sound: id.optional(),
    counter: trueOrFalse.optional(),
    progress_bar: trueOrFalse.optional(),
    chapters: trueOrFalse.optional(),
    shorts: trueOrFalse.optional(),
    loudness: numberFrom(-30, -10).optional(),
    duck_db: numberFrom(0, 40).optional(),
    music_fade: numberFrom(0, 10).optional(),
    crop_unit: enumOf(CROP_UNITS).optional(),
    volume_unit: enumOf(VOLUME_UNITS).optional(),
    trim_end_as: enumOf(TRIM_END_READINGS).optional(),
  });
}
