import * as z from 'zod';
import {
  CARD_FITS,
  CARD_NAMES,
  CARD_SHAPES,
  CROP_UNITS,
  ENCODER_PRESETS,
  FITS,
  QUALITIES,
  REVEALS,
  THEMES,
  TRIM_END_READINGS,
  VOLUME_UNITS,
} from './choices.ts';
import type { TimelineLimits } from './limits.ts';
import { bitrate, hexColor, id, numberFrom, oneOf, textUpTo, trueOrFalse } from './schema-leaves.ts';

/** All settings of an export. */
export function settingsSchema(limits: TimelineLimits) {
  const text = textUpTo(limits.maxTextLength);
  const card = z.object(
    {
      shape: oneOf(CARD_SHAPES)
        .optional()
        .meta({ description: '`auto`, if absent: the shape most of the pictures have.' }),
      fit: oneOf(CARD_FITS)
        .optional()
        .meta({ description: 'If absent, pictures fill their card unless more than a tenth of them would be lost.' }),
      names: oneOf(CARD_NAMES)
        .optional()
        .meta({ description: 'Under the pictures; `auto`, if absent: where there is room.' }),
    },
    'an object',
  );
  const themeNames = `one of ${THEMES.map((name) => `"${name}"`).join(', ')}`;
  const theme = z.union(
    [
      z.enum(THEMES, themeNames),
      z.object({
        base: oneOf(THEMES)
          .optional()
          .meta({ description: 'The theme everything else is taken from; `midnight` if absent.' }),
        panel_color: hexColor.optional(),
        lane_color: hexColor.optional(),
        line_color: hexColor.optional().meta({ description: 'Of the edges of panel, pool and cards.' }),
        text_color: hexColor.optional().meta({ description: 'Of the title and of the names under pictures.' }),
        card_color: hexColor.optional().meta({ description: 'Behind names, and behind pictures one can see through.' }),
        panel_opacity: numberFrom(0, 100).optional(),
        corner: numberFrom(0, 100)
          .optional()
          .meta({ description: 'How round corners are: 0 square, 50 as `midnight`.' }),
        glass: trueOrFalse.optional().meta({ description: 'Blurs what lies under the panel.' }),
        font_field: id
          .optional()
          .meta({ description: 'The form field of a font (TTF, OTF or WOFF2) for the board and the subtitles.' }),
      }),
    ],
    `${themeNames}, or an object over one of them`,
  );

  const side = numberFrom(64, limits.maxOutputSide);
  return z.object({
    preset: id.optional().meta({ description: 'A preset name or one of its aliases.' }),
    fps: numberFrom(1, limits.maxOutputFps).optional(),
    quality: oneOf(QUALITIES).optional(),
    width: side.optional(),
    height: side.optional(),
    encoder_preset: oneOf(ENCODER_PRESETS).optional(),
    audio_bitrate: bitrate.optional(),
    file_name: text.optional(),
    fit: oneOf(FITS).optional(),
    background: hexColor.optional(),
    reveal: oneOf(REVEALS).optional(),
    card: card.optional().meta({ description: 'What cards look like.' }),
    theme: theme.optional().meta({ description: 'How the board looks; `midnight` if absent.' }),
    reveal_sound: id
      .optional()
      .meta({ description: '`none`, `pop`, `whoosh`, `impact`, or the form field of a sound.' }),
    counter: trueOrFalse.optional().meta({ description: 'Shows on the board how many items are in place: "7/24".' }),
    progress_bar: trueOrFalse.optional().meta({ description: 'A thin line that fills as the video goes by.' }),
    shorts: trueOrFalse
      .optional()
      .meta({ description: 'A short portrait video of every reveal, rendered when it is asked for.' }),
    loudness: numberFrom(-30, -10).optional().meta({ description: 'LUFS; the level is left alone if absent.' }),
    crop_unit: oneOf(CROP_UNITS).optional(),
    volume_unit: oneOf(VOLUME_UNITS).optional(),
    trim_end_as: oneOf(TRIM_END_READINGS).optional(),
  });
}
