import type { FIELDS } from './fields.ts';

/**
 * The words of a field: its label in the inspector, what it means, and the same for people in the studio where that
 * differs. Neither repeats the default or the limits of its row: descriptions get them from there, and the inspector
 * shows them in the control.
 */
export type Words = readonly [label: string, text: string, help?: string];

type WordsOf<Table> = { readonly [Name in keyof Table]: Words };

type Fields = typeof FIELDS;

const ID: Words = ['Id', 'Id of the entry in messages. Default: its place in the lane.'];

const TIMED = {
  start: ['Starts at', 'Start on the timeline, in seconds.'],
  duration: ['Duration', 'Length on the timeline, in seconds.'],
} satisfies Partial<WordsOf<Fields['subtitle']>>;

const VOLUME: Words = [
  'Volume',
  'Gain from 0 to 4, or percent from 0 to 400 with `volume_unit: percent`.',
  '0 is silent, 1 is unchanged, 2 doubles the level (+6 dB), 4 is the maximum. If the volume unit is percent: 0 to 400.',
];

const CLIP = {
  id: ID,
  file_field: ['File', 'The form field of the file.', 'The file that it shows or plays.'],
  start: TIMED.start,
  duration: [
    'Duration',
    'Length on the timeline, in seconds. Default: the length of the trim at the clip’s speed.',
    'Seconds on the timeline.',
  ],
  trim_start: ['Trim start', 'In-point, in source seconds.', 'Where in the file it starts.'],
  trim_end: [
    'Trim end',
    'Out-point, in source seconds; 0 or absent: the end.',
    'Where in the file it ends. Empty: the end of the file.',
  ],
  volume: VOLUME,
  volume_points: [
    'Volume over time',
    'Up to 500 points, in order of `at`. Each `volume` multiplies that of the entry; between two points the level changes linearly in decibels.',
  ],
  denoise: [
    'Reduce noise',
    '`true` reduces steady noise such as that of a fan or a room by 12 dB.',
    'Reduces the noise of a fan or a room in the export. The preview plays the original.',
  ],
  fade_in: ['Fade in', 'Fade-in of picture and sound, in seconds.', 'In seconds.'],
  fade_out: ['Fade out', 'Fade-out of picture and sound, in seconds.', 'In seconds.'],
} satisfies Partial<WordsOf<Fields['soundtrack']>>;

const SPEED: Words = ['Speed', 'The pitch stays the same.'];

const CROP_UNIT =
  'in the unit of `settings.crop_unit`; `auto`: fractions if all four are at most 1, percent if at most 100, else pixels.';

const CROP = {
  crop_x: [
    'Left',
    `Left edge of the crop of the upright picture, ${CROP_UNIT}`,
    'The left edge of the crop. If all four values are up to 1, they are fractions; up to 100, percent; else pixels.',
  ],
  crop_y: ['Top', `Top edge of the crop, ${CROP_UNIT}`, 'The top edge of the crop.'],
  crop_w: ['Width', `Width of the crop, ${CROP_UNIT}`, 'The width of the crop.'],
  crop_h: ['Height', `Height of the crop, ${CROP_UNIT}`, 'The height of the crop.'],
} satisfies Partial<WordsOf<Fields['video']>>;

/** The box of an entry. @param more about its default. */
function box(more = '') {
  return {
    x_percent: [
      'Left',
      `Left edge of the box, in percent of the canvas.${more}`,
      'In percent of the canvas. It can extend beyond the edge.',
    ],
    y_percent: [
      'Top',
      `Top edge of the box, in percent of the canvas.${more}`,
      'In percent of the canvas, from the top.',
    ],
    width_percent: ['Width', `Width of the box, in percent of the canvas.${more}`, 'In percent of the canvas.'],
    height_percent: ['Height', `Height of the box, in percent of the canvas.${more}`, 'In percent of the canvas.'],
  } satisfies Partial<WordsOf<Fields['video']>>;
}

const SHOWN = {
  presets: ['Per format', 'By preset name or alias: the place of the entry in that preset, or `hidden: true`.'],
  enter: ['Entrance', 'How it appears.'],
  exit: ['Exit', 'How it disappears.'],
  enter_duration: [
    'Animation time',
    'Duration of `enter` and of `exit`, in seconds.',
    'How long the entrance and the exit take.',
  ],
} satisfies Partial<WordsOf<Fields['video']>>;

const FONT_NAME = 'A family that ships; `GET /fonts` lists them.';
const FONT_FIELD: Words = [
  'Font file',
  'The form field of a font (TTF, OTF or WOFF2); wins over `font`.',
  'One of your font files (TTF, OTF or WOFF2). It takes precedence over the font by name.',
];

const SIZE: Words = [
  'Size',
  'Size of the text, in pixels on a canvas whose shorter side is 1080.',
  'In pixels at 1080p.',
];

const SUBTITLE = {
  size: SIZE,
  letter_spacing: [
    'Letter spacing',
    'Space between letters, in ems; negative: closer. No effect on scripts whose letters join, such as Arabic and Devanagari.',
    'Between letters, in ems. Scripts whose letters join, such as Arabic, keep theirs.',
  ],
  align: ['Alignment', 'Alignment of the lines. `centre` and `middle` mean `center`.', 'Inside its box.'],
  text_color: ['Colour', 'The colour of the text.'],
  background_color: [
    'Background',
    'The colour behind the text. Default: none, or `#000000` if `background_alpha` is given.',
    'The colour behind the text. Colour and opacity empty: none.',
  ],
  background_alpha: [
    'Background opacity',
    'Opacity of the background in percent. Default: 60, if `background_color` is given.',
    '0 to 100.',
  ],
  ...box(),
  style: [
    'Caption style',
    'A style, or an object that changes one. Default: `settings.subtitle_style`.',
    'How the text looks, and how the spoken word stands out.',
  ],
  ...SHOWN,
} satisfies Partial<WordsOf<Fields['subtitle']>>;

const OWN_PLACE = {
  ...box(' Default: that of the entry.'),
  hidden: [
    'Hidden',
    '`true` leaves the entry out of this preset; the sound of a video still plays.',
    'Hides it in this format.',
  ],
} satisfies Partial<WordsOf<Fields['videoPlace']>>;

const MADE_SOUND =
  '`none`, `theme` (the sounds of the theme), `pop`, `whoosh`, `impact`, `riser`, `drum_roll`, `ding`, `sad`, or the form field of a sound';

const CARD_FIT_HELP = 'Show all: the whole picture. Fill: no empty edges, but a part of the picture is cut off.';

/** The words of every field. Without those of a row, this does not compile. */
export const FIELD_WORDS: { readonly [Owner in keyof Fields]: WordsOf<Fields[Owner]> } = {
  auto: {
    order: [
      'Order',
      '`worst_first`: from the lowest row up. `listed`: as `tier_list.items` has them. In a row, items come from left to right.',
    ],
    seconds_per_item: ['Seconds per item', 'Seconds from one reveal to the next.'],
    intro: [
      'Opening',
      'Opens with a card that shows the title of the tier list, for 3 s; without a title there is no card.',
    ],
    outro: ['Ending', 'Shows the finished board for 3 s.'],
    seed: ['Seed', 'Each seed gives another order of `shuffled`.'],
  },
  video: {
    ...CLIP,
    speed: SPEED,
    fit: [
      'Fit',
      'How the picture fills its box. Default: `settings.fit`.',
      'Show all: the whole picture, with bars. Fill: no bars, but the edges are cut off. Show all, blurred sides: a blurred copy instead of bars.',
    ],
    layer: [
      'Layer',
      'Below or above the board. Default: above, if the box covers at most half of the canvas.',
      'Automatic: in front of the board if it covers at most half of the picture.',
    ],
    ...CROP,
    ...box(),
    shape: [
      'Shape',
      'Shape of a picture-in-picture. Default: `rounded` beside a board, else `rect`.',
      'Automatic: rounded beside a board, else a rectangle.',
    ],
    border_color: [
      'Border',
      'The border of a picture-in-picture. Default: none, or `#ffffff` if `border_width` is given.',
      'A line around the clip.',
    ],
    border_width: [
      'Border width',
      'Pixels on a canvas whose shorter side is 1080. Default: 6, if `border_color` is given.',
      'In pixels at 1080p.',
    ],
    shadow: ['Shadow', '`true` draws a shadow under a picture-in-picture.', 'Behind the clip.'],
    ...SHOWN,
    transition: [
      'Transition',
      'The transition from the clip that ends where this one starts. Both must fill the canvas.',
    ],
    motion: [
      'Motion',
      'Pan and zoom over the slot. `ken_burns` chooses a motion by the id, or by the file if there is no id.',
      'Pan and zoom while the clip is shown.',
    ],
  },
  audio: {
    ...CLIP,
    speed: SPEED,
    crop_x: [CROP.crop_x[0], 'Ignored.'],
    crop_y: [CROP.crop_y[0], 'Ignored.'],
    crop_w: [CROP.crop_w[0], 'Ignored.'],
    crop_h: [CROP.crop_h[0], 'Ignored.'],
  },
  soundtrack: {
    ...CLIP,
    loop: [
      'Repeat',
      '`true` repeats the trim until the slot is full.',
      'Repeats the trimmed part until the entry ends.',
    ],
    role: [
      'Role',
      '`music` is lowered while there is voice; `voice` counts as voice.',
      'Music is lowered while somebody speaks. Voice lowers music.',
    ],
  },
  block: {
    id: ID,
    ...TIMED,
    ...box(),
    ...SHOWN,
    enter: ['Entrance', 'How it appears. Default: `fade`, except at the start of the video.', 'How it appears.'],
    exit: ['Exit', 'How it disappears. Default: `fade`, except at the end of the video.', 'How it disappears.'],
  },
  tile: {
    id: ID,
    tier_item_id: ['Item', 'The id of the item.', 'The item that appears.'],
    position: [
      'Appears at',
      'The second of the timeline at which the item appears or starts to move.',
      'In seconds. An item without a reveal is on the board from the start.',
    ],
    reveal: [
      'Reveal',
      '`settings.reveal` if absent. On a move: how the card leaves its place; by default it lifts and flies.',
      'Pop: the card appears in its place. Spotlight: it is shown large first, then flies to its place. Slam: it falls onto the board.',
    ],
    hold: [
      'Hold',
      'Seconds for which a spotlight holds the card up before the verdict. Default: `settings.reveal_hold`.',
      'How long the card is held up before its verdict. Empty: same as the video.',
    ],
    stamp_at: [
      'Verdict at',
      'The second of the timeline at which the stamp of a spotlight appears; wins over `hold`.',
      'When the verdict appears, in seconds on the timeline. It takes precedence over “Hold”.',
    ],
    to_row: [
      'Moves to',
      'Moves the item from its current place to the row with this id.',
      'The item moves to this row at that time.',
    ],
    index: [
      'Place in the row',
      'Place in that row, from 0; the end of the row if absent. Only with `to_row`.',
      'Counted from 0. Empty: the end of the row.',
    ],
    effect: [
      'Effect',
      'Effect of the landing. Default: `settings.effects` of its row.',
      'When the card lands. Empty: the effect of its row.',
    ],
    sound_field: [
      'Sound',
      `${MADE_SOUND}. Default: \`settings.reveal_sound\`.`,
      'Plays when the card appears: a built-in sound, or one of your files.',
    ],
    sound_volume: ['Sound volume', 'As `volume` of a clip.', VOLUME[2]!],
  },
  titleEntry: {
    id: ID,
    text: ['Text', 'The text.', 'Long lines wrap. Enter starts a new line.'],
    ...TIMED,
    subtext: ['Subtext', 'A smaller text under `text`.', 'Smaller, under the text.'],
    kind: [
      'Kind',
      '`label`: a text on a plate. `lower_third`: at the side, with a bar. `card`: fills the canvas.',
      'Label: a text on a panel. Lower third: at the side, with a bar. Card: fills the picture.',
    ],
    align: ['Alignment', 'Alignment of the lines.', 'Inside its box.'],
    size: SIZE,
    text_color: ['Colour', 'The colour of the text. Default: that of the theme.'],
    background_color: ['Background', 'The colour behind the text. Default: the panel colour of the theme.'],
    background_alpha: ['Background opacity', 'Opacity of the background in percent.', '0 to 100.'],
    font: ['Font', `${FONT_NAME} Default: the font of the theme.`, 'One of the built-in fonts.'],
    font_field: FONT_FIELD,
    ...box(' Default: by `kind`, `align` and preset.'),
    ...SHOWN,
    enter: [
      'Entrance',
      'How it appears. Default: cards fade, labels rise and lower thirds slide.',
      'How it appears. Default: cards fade, labels rise, lower thirds slide.',
    ],
    exit: ['Exit', 'How it disappears. Default: as `enter`.', 'How it disappears.'],
  },
  subtitle: {
    id: ID,
    text: ['Text', 'The text. Line breaks are kept.', 'Long lines wrap. Enter starts a new line.'],
    ...TIMED,
    words: [
      'Words',
      'The words in the order of the text, each with the second of the timeline at which it is spoken. `end` and `confidence`, as `POST /video/captions` returns them, do not change the video.',
    ],
    ...SUBTITLE,
  },
  subtitleFile: {
    id: ID,
    file_field: [
      'File',
      'The form field of an SRT or WebVTT file, in UTF-8 or UTF-16.',
      'The file that it shows or plays.',
    ],
    offset: [
      'Delay',
      'Seconds by which all cues move later; negative: earlier.',
      'In seconds. Its subtitles appear that much later.',
    ],
    ...SUBTITLE,
  },
  videoPlace: {
    ...OWN_PLACE,
    fit: ['Fit', 'How the picture fills its box. Default: that of the entry.', 'How the picture fills its box.'],
    layer: ['Layer', 'Below or above the board. Default: by the box in this preset.'],
    motion: ['Motion', 'Pan and zoom in this preset. Default: that of the entry.'],
  },
  boardPlace: OWN_PLACE,
  textPlace: { ...OWN_PLACE, size: ['Size', `${SIZE[1]} Default: that of the entry.`, SIZE[2]!] },
  transition: {
    kind: [
      'Kind',
      '`dip` goes through the background colour. `wipe` runs from left to right. `push` comes from the right.',
      'How it replaces the clip that ends where it starts.',
    ],
    duration: ['Duration', 'Seconds, centred on the cut.', 'Half of it is before the cut.'],
  },
  motion: {
    from: ['Start view', 'The view at the start.'],
    to: ['End view', 'The view at the end.'],
    ease: ['Speed', 'How its speed changes.', 'Ease: slow at both ends.'],
    before: [
      'Starts earlier',
      'Seconds by which the motion begins before the slot. For the later part of a split clip.',
      'In seconds before the clip. Set when a clip is split.',
    ],
    after: [
      'Ends later',
      'Seconds by which the motion ends after the slot.',
      'In seconds after the clip. Set when a clip is split.',
    ],
  },
  view: {
    x: [
      'Centre X',
      'Centre of the view in percent of the width of the picture.',
      'The centre of the view, in percent of the picture.',
    ],
    y: [
      'Centre Y',
      'Centre of the view in percent of the height of the picture.',
      'The centre of the view, in percent of the picture.',
    ],
    scale: [
      'Zoom',
      'Size of the picture, in times the size that `fit` gives.',
      '1 is the whole picture, 10 is the maximum.',
    ],
  },
  volumePoint: {
    at: ['At', 'Seconds from the start of the entry.'],
    volume: ['Volume', 'The level from 0 to 4, or percent from 0 to 400 with `volume_unit: percent`.'],
  },
  word: {
    text: ['Word', 'The word, as it is in the text.'],
    start: ['Spoken at', 'The second of the timeline at which the word is spoken.'],
    end: ['End', 'Accepted, but has no effect.'],
    confidence: ['Confidence', 'Accepted, but has no effect.'],
  },
  row: {
    id: ['Id', 'The id of the row.'],
    label: ['Label', 'The label; the id if absent.', 'The text at the start of the row.'],
    color: [
      'Colour',
      'The colour of the label. Default: the usual colour of the tier.',
      'The colour of the row. Empty: the default colour of its place.',
    ],
    item_ids: ['Items', 'The ids of its items, from left to right.'],
  },
  item: {
    id: ['Id', 'The id of the item.'],
    name: [
      'Name',
      'The name; the id if absent.',
      'Shown under the picture. A card without a picture shows only the name.',
    ],
    file_field: [
      'File',
      'The form field of the picture: JPEG, JPEG XL, HEIC, PNG, WebP, AVIF, TIFF, GIF, BMP, ICO or SVG.',
      'The file that it shows or plays.',
    ],
    fit: ['Picture', 'How the picture fills its card. Default: `settings.card.fit`.', CARD_FIT_HELP],
    image_focus: [
      'Focus point',
      'The point of the picture that stays visible: `x` and `y` in percent of the picture.',
      'The part of the picture that stays visible when edges are cut off.',
    ],
    image_zoom: [
      'Zoom',
      'Makes the picture 1 to 10 times larger than its fit, around `image_focus`.',
      'How many times larger the picture is.',
    ],
    score: [
      'Score',
      'A text under the name in a spotlight, such as "9/10".',
      'Shown under the name in a spotlight, such as “9/10”.',
    ],
    note: ['Note', 'A text under name and score in a spotlight.', 'Shown under name and score in a spotlight.'],
  },
  imageFocus: {
    x: ['From the left', 'In percent of the width of the picture, from the left.', 'In percent of the picture.'],
    y: ['From the top', 'In percent of the height of the picture, from the top.', 'In percent of the picture.'],
  },
  settings: {
    preset: [
      'Main format',
      'The selected preset: a name or an alias. Default: the first preset.',
      'It is rendered first. Width and height apply to it.',
    ],
    fps: [
      'Frame rate',
      'Frames a second. 23.976, 29.97 and 59.94 mean the exact fractions.',
      '1 to 60. 23.976, 29.97 and 59.94 stand for the exact rates, such as 30000/1001.',
    ],
    quality: [
      'Quality',
      'The balance of render time and picture. `upload`: for sites that encode the video again.',
      'Draft renders fastest. Upload makes the largest file, for sites that encode it again.',
    ],
    width: [
      'Width',
      'Width of the selected preset, in pixels. Default: that of the preset.',
      'Of the main format. Empty: its default width.',
    ],
    height: [
      'Height',
      'Height of the selected preset, in pixels. Default: that of the preset.',
      'Of the main format. Empty: its default height.',
    ],
    encoder_preset: ['Encoder speed', 'The preset of x264.', 'Slower speeds make smaller files.'],
    audio_bitrate: [
      'Audio bitrate',
      'Bit rate of the sound in kbit/s, 32 to 512, or a text such as "192k".',
      '32 to 512.',
    ],
    file_name: [
      'File name',
      'The name of the file. Default: the title of the tier list, else `export`.',
      'The name of the downloads. Empty: the title.',
    ],
    fit: [
      'Fit',
      'How clips fill the canvas or their box.',
      'Show all: the whole picture, with bars. Fill: no bars, but the edges are cut off. Show all, blurred sides: a blurred copy instead of bars.',
    ],
    background: [
      'Background',
      'The background: a colour, the ground of the theme, a gradient, a picture, or a blurred copy of a clip. If it is absent, a request with a `theme` or `auto` has the ground of the theme.',
      'Behind everything.',
    ],
    reveal: [
      'Reveal',
      'How items appear.',
      'Pop: the card appears in its place. Spotlight: it is shown large first, then flies to its place. Slam: it falls onto the board.',
    ],
    reveal_hold: [
      'Hold',
      'Seconds for which a spotlight holds a card up before the verdict.',
      'How long a spotlight holds a card up before its verdict.',
    ],
    card: ['Cards', 'The look of cards.'],
    board: ['Board', 'The layout of rows.'],
    layout: [
      'Layout',
      'Places board, camera and texts that have no box, in every format: `board` without a camera; `right`, `left`, `corner`, `top` or `full` say where the camera is. The camera is every clip without a box that is shown with a board.',
      'Where board, camera and texts stand, unless they have a place of their own.',
    ],
    pool: [
      'Pool',
      '`auto`: the pool is shown while it has items. `never`: items in no row are not drawn.',
      'The area for items that are in no row. Automatic: shown while it has items.',
    ],
    hidden_until_revealed: [
      'Hide until revealed',
      '`false`: an item that has a reveal is in the pool until then.',
      'Off: an item waits in the pool until its reveal.',
    ],
    effects: ['Effects', 'The effect of every landing in a row, by the id of the row: `confetti` or `none`.'],
    theme: ['Theme', 'The theme of the board: a name, or an object that changes one.', 'The look of the board.'],
    subtitle_style: [
      'Captions',
      'The style of subtitles without their own: a name, or an object that changes one.',
      'How subtitles without a style of their own look.',
    ],
    reveal_sound: [
      'Reveal sound',
      `${MADE_SOUND}. Without it, only the reveals of an automatic timeline are heard, with the sounds of the theme.`,
      'Plays with every reveal: a built-in sound, or one of your files.',
    ],
    counter: [
      'Counter',
      '`true` shows "7/24" on the board: landed / ranked in total.',
      'Shows on the board how many items have landed, such as “7/24”.',
    ],
    progress_bar: [
      'Progress bar',
      '`true` shows a thin line that fills while the video plays.',
      'A thin line that shows the progress of the video.',
    ],
    chapters: [
      'Chapters in the file',
      '`false` leaves the chapter track out of the file; `/chapters` still returns them.',
      'Players list the reveals by name. Some video editors have problems with such files.',
    ],
    shorts: [
      'Shorts',
      '`true` adds a short portrait video of every reveal, rendered at the first request.',
      'A short portrait video of every reveal, rendered when it is first requested.',
    ],
    loudness: [
      'Loudness',
      'Target loudness in LUFS. Default: no change.',
      'Brings all sound to one level. YouTube uses -14. Empty: no change.',
    ],
    duck_db: [
      'Music under voice',
      'Decibels by which soundtracks with `role: music` are lowered while there is voice.',
      'By how many decibels music is lowered while somebody speaks.',
    ],
    music_fade: [
      'Music fade-out',
      'Fade-out of music that the end of the video cuts off, in seconds.',
      'If the end of the video cuts the music off.',
    ],
    crop_unit: [
      'Crop unit',
      'The unit of `crop_x`, `crop_y`, `crop_w` and `crop_h`; `auto`: by their size.',
      'Automatic: values up to 1 are fractions, up to 100 percent, else pixels.',
    ],
    volume_unit: [
      'Volume unit',
      'The unit of `volume`: a gain (0 to 4) or percent (0 to 400).',
      'Factor: 0 is silent, 1 is unchanged, 4 is the maximum. Percent: 0 to 400.',
    ],
    trim_end_as: [
      'Trim end means',
      '`out_point`: `trim_end` is the out-point. `cut`: it is seconds cut off the end.',
      'End point: where it ends in the file. Amount cut: how much is cut off at its end.',
    ],
  },
  card: {
    shape: [
      'Shape',
      '`portrait` is 7:10, `landscape` 16:10. `auto`: square for pictures, `landscape` if no item has one.',
      'Automatic: square, or wide if no item has a picture.',
    ],
    fit: [
      'Pictures',
      '`cover` fills the card, `contain` shows the whole picture on a backdrop made from it. Default: a picture covers its card, unless its edge is plain or transparent.',
      'Automatic: pictures fill their cards; those with a plain or transparent edge, such as logos, are shown whole.',
    ],
    names: [
      'Names',
      'Names with the pictures. `auto`: if they are large enough to be read.',
      'With the pictures. Automatic: shown if they are large enough to be read.',
    ],
  },
  board: {
    layout: [
      'Rows',
      '`ladder`: rows in one column. `auto`: rows side by side if cards become at least 15 % larger.',
      'Ladder: all in one column. Automatic: side by side if that makes the cards larger.',
    ],
  },
  theme: {
    base: ['Based on', 'The theme to start from.'],
    panel_color: [
      'Panel',
      'The colour of the panel behind the board. Default: that of the theme.',
      'Behind the whole board.',
    ],
    lane_color: [
      'Rows',
      'The colour behind the cards of a row. Default: that of the theme.',
      'Behind the items of a row.',
    ],
    line_color: [
      'Lines',
      'The colour of the edges of panel, pool and cards. Default: that of the theme.',
      'The edges of panel, pool and cards.',
    ],
    text_color: [
      'Text colour',
      'The colour of the title and of the names under pictures. Default: that of the theme.',
      'The colour of the title and of the names under pictures.',
    ],
    card_color: [
      'Cards',
      'The colour behind names and transparent pictures. Default: that of the theme.',
      'Behind names and transparent pictures.',
    ],
    panel_opacity: [
      'Panel opacity',
      'Opacity of the panel in percent. Default: that of the theme, 72 with `glass`.',
      'Below 100, the picture behind the board shows through.',
    ],
    corner: [
      'Roundness',
      'Roundness of corners, 0 (square) to 100; 50 is `midnight`. Default: that of the theme.',
      '0 is square.',
    ],
    glass: ['Glass', '`true` blurs the layers behind the panel.', 'Blurs the picture behind the panel.'],
    font: ['Font', `${FONT_NAME} For the board and all texts. Default: \`Noto Sans\`.`, 'For the board and all texts.'],
    font_field: [
      'Font file',
      'The form field of a font (TTF, OTF or WOFF2) for the board and all texts; wins over `font`.',
      FONT_FIELD[2]!,
    ],
  },
  background: {
    kind: [
      'Kind',
      '`theme`: its ground. `gradient` of `colors`, `image` from `file_field`, `blur`: a blurred copy of the clip `of`.',
    ],
    colors: ['Colours', 'The colours of a gradient, evenly spaced.', 'From the first to the last.'],
    angle: [
      'Direction',
      'Where a gradient goes, in degrees: 0 up, 90 to the right, 180 down.',
      '0 goes up, 90 to the right, 180 down.',
    ],
    moving: [
      'Animated',
      '`true` shifts the gradient slowly from the first colour to the last and back.',
      'The colours move slowly from the first to the last and back.',
    ],
    file_field: ['File', 'The form field of the image.', 'The file that it shows or plays.'],
    blur: ['Blur', 'Blur of the image.', '0 is sharp, 100 is the maximum.'],
    of: [
      'Clip',
      'The id of a clip; while it is not on screen, its nearest frame is shown.',
      'Its first frame is shown before it starts, its last frame after it ends.',
    ],
    follow: [
      'Follow',
      'The copy also shows the other clips in the box of that clip, such as its parts after a cut.',
      'Also shows the other clips in the same place.',
    ],
  },
  captionStyle: {
    base: ['Based on', 'The style to start from. Default: that of the settings, else `plain`.'],
    font: [
      'Font',
      `${FONT_NAME} Default: that of the theme, else Montserrat for \`pop\` and \`shout\`.`,
      'One of the built-in fonts.',
    ],
    font_field: FONT_FIELD,
    weight: ['Weight', 'The nearest weight that the font has is used.', '100 to 900.'],
    uppercase: ['Uppercase', '`true`: capitals, by the rules of the language.', 'Shows all letters in uppercase.'],
    outline_color: [
      'Outline',
      'The colour of the outline. Default: black on light letters, white on dark ones.',
      'Empty: black around light letters, white around dark ones.',
    ],
    outline_width: ['Outline width', 'Width of the outline in ems.', 'In ems.'],
    highlight: [
      'Highlight',
      'How the spoken word is highlighted: by its colour, on a pill, or larger.',
      'How the spoken word stands out: by its colour, on a pill, or larger.',
    ],
    highlight_color: ['Highlight colour', 'The colour of the spoken word, or of the pill behind it.'],
    max_words: [
      'Words at a time',
      'The most words that are shown at a time; without one, all of them.',
      'Empty: set by style and format.',
    ],
  },
};
