import { type FrameRate, SAMPLE_RATE } from '../time.ts';
import { PAINTED, PAINTED_KINDS } from './frame/painted-kinds.ts';
import type { AudioClip } from './model/audio-plan.ts';
import type { BoardScene } from './model/board-scene.ts';
import { type Canvas, gradientBehind, themeBehind } from './model/canvas.ts';
import type { ClipLayer, ClipTransition, Motion } from './model/clip-layer.ts';
import {
  formatEnterExit,
  formatMicros,
  formatRate,
  formatRect,
  formatSeconds,
  formatSpan,
  quote,
  round,
  section,
} from './model/format-values.ts';
import type { PaintedKind } from './model/painted-layers.ts';
import type { LayerRef, RenderPlan } from './model/render-plan.ts';
import type { Theme } from './model/theme.ts';

/**
 * A plan as text, for reading and for comparing: one line a thing, the same text for the same plan. Frames are written
 * `[start, end)`, with seconds beside them for people.
 */
export function formatPlan(plan: RenderPlan): string {
  const { canvas, rate, encoder } = plan;
  const every = `a key frame every ${encoder.keyframeEvery}`;
  return [
    `preset ${plan.preset}  ${canvas.width}×${canvas.height}  ${formatRate(rate)} fps  background ${formatBackground(canvas)}`,
    `title ${quote(plan.title)}`,
    `length ${plan.totalFrames} frames (${formatSeconds(plan.totalFrames, rate)})`,
    `encoder ${encoder.preset} crf ${encoder.crf}, ${every}`,
    ...section('sources', plan.sources, ({ field, hash }, i) => `#${i} ${quote(field)} ${hash.slice(0, 12)}`),
    ...section('clips', plan.clips, (clip, i) => formatClip(clip, i, rate)),
    `theme ${formatTheme(plan.theme)}`,
    ...formatBoard(plan.board, rate),
    ...PAINTED_KINDS.flatMap((kind) => formatPainted(kind, plan)),
    ...section(
      'spans',
      plan.spans,
      (span) => `${formatSpan(span, rate)} ${span.layers.map(formatRef).join(' ') || 'background'}`,
    ),
    ...section('chunks', plan.chunks, (chunk) => `${formatSpan(chunk, rate)} ${chunk.key.slice(0, 12)}`),
    ...formatAudio(plan),
    ...section('chapters', plan.chapters, (chapter) => `${formatSpan(chapter, rate)} ${quote(chapter.title)}`),
    ...section('shorts', plan.shorts, (short) => {
      const parts = short.chunks.map((chunk) => `[${chunk.start}, ${chunk.end}) ${chunk.key.slice(0, 12)}`);
      return `${formatSpan(short, rate)} ${quote(short.title)}: ${parts.join(', ')}`;
    }),
    ...section('warnings', plan.warnings, ({ path, code, message }) => `${path || '(request)'} ${code}: ${message}`),
    '',
  ].join('\n');
}

function formatBackground(canvas: Canvas): string {
  const [gradient, theme] = [gradientBehind(canvas), themeBehind(canvas)];
  if (theme !== null) return `of ${theme}`;
  if (gradient === null) return canvas.background;
  const { colors, angle, moving } = gradient;
  return `${colors.join(' → ')} at ${round(angle)}°${moving ? ', moving' : ''}`;
}

function formatClip(clip: ClipLayer, index: number, rate: FrameRate): string {
  const { crop, dest, backdrop, matte, fadeIn, fadeOut, look } = clip;
  const played = clip.kind === 'still' ? '' : ` plays ${formatMicros(clip.trim)} ×${clip.speed / 1e6}`;
  const extras = [
    clip.loop && 'loops',
    clip.alpha && 'alpha',
    clip.isAboveBoard && 'above the board',
    clip.ground && `behind everything, blur ${round(clip.ground.blur)}`,
    matte && `on ${formatRect(matte)}`,
    backdrop && `over blurred ${formatRect(backdrop.crop)} → ${formatRect(backdrop.dest)}`,
    fadeIn > 0 && `fade in ${fadeIn}`,
    fadeOut > 0 && `fade out ${fadeOut}`,
    look && `corners ${look.radiusPx} of ${formatRect(look.rect)}`,
    look?.border && `border ${look.border.color} ${look.border.widthPx}`,
    look?.shadow && 'shadow',
    ...formatEnterExit(clip),
    clip.motion && formatMotion(clip.motion),
    clip.transition && formatTransition(clip.transition, clip.lead),
  ].filter((extra) => typeof extra === 'string');
  const head = `c${index} ${quote(clip.id)} ${clip.kind} #${clip.source} ${formatSpan(clip.shows, rate)}${played}`;
  return [`${head} cut ${formatRect(crop)} → ${formatRect(dest)}`, ...extras].join(', ');
}

function formatMotion({ from, to, ease }: Motion): string {
  const [first, last] = [from, to].map(({ x, y, scale }) => `${round(x)},${round(y)} ×${round(scale)}`);
  return `moves from ${first} to ${last} ${ease}`;
}

function formatTransition({ kind, frames, from }: ClipTransition, lead: number): string {
  const whence = from === null ? 'what lies below' : `c${from}`;
  return `takes over from ${whence} by ${kind} ${frames}, ${lead} before the cut`;
}

function formatTheme(theme: Theme): string {
  const { name, panel, lane, line, text, card, panelOpacity, corner, glass, font } = theme;
  const colors = `panel ${panel} ${Math.round(panelOpacity * 100)} %, lane ${lane}, line ${line}, text ${text}, card ${card}`;
  const extras = [`corner ${round(corner)}`, glass && 'glass', font !== null && `font ${font.families.display}`];
  return [name, colors, ...extras.filter((extra) => extra !== false)].join(', ');
}

/** How a picture fills its card, unless that depends on the picture. */
const FITTED = { auto: '', contain: ' whole', cover: ' filled' } as const;

function formatBoard(board: BoardScene | null, rate: FrameRate): string[] {
  if (board === null) return [];
  const name = (item: number): string => {
    const { name: text, image, fit, view } = board.items[item]!;
    if (image === null) return quote(text);
    const seen = view === undefined ? '' : ` at ${round(view.x)} ${round(view.y)} ×${round(view.scale)}`;
    return `${quote(text)}#${image}${FITTED[fit]}${seen}`;
  };
  return [
    `board ${quote(board.title)}, ${board.card.shape} cards, names ${board.card.names}, rows ${board.layout}, pool ${board.poolShown}${board.counter === null ? '' : `, counts to ${board.counter}`}`,
    ...board.rows.map(({ label, color, items }) =>
      `  ${quote(label)} ${color}: ${items.map(name).join(' ')}`.trimEnd(),
    ),
    ...(board.pool.length > 0 ? [`  pool: ${board.pool.map(name).join(' ')}`] : []),
    ...board.events.map((event) => {
      const { item, at, verdict, takeOff, lands, end, style, to, confetti } = event;
      const when = formatSpan({ start: at, end }, rate);
      const course = style === 'spotlight' ? `, verdict ${verdict}, take-off ${takeOff}` : '';
      const place = to && ` to ${quote(board.rows[to.row]?.label ?? 'the pool')} at ${to.index ?? 'the end'}`;
      return `  ${style} ${name(item)} ${when}${place ?? ''}${course}, landing ${lands}${confetti === null ? '' : ', confetti'}`;
    }),
    ...board.items.flatMap(({ score, note }, item) =>
      score === '' && note === '' ? [] : [`  note of ${name(item)}: ${quote(score)} ${quote(note)}`],
    ),
  ];
}

function formatPainted<Kind extends PaintedKind>(kind: Kind, { painted, rate }: RenderPlan): string[] {
  return PAINTED[kind].format(painted[kind], rate);
}

function formatRef(ref: LayerRef): string {
  return ref.kind === 'clip' ? `c${ref.index}` : PAINTED[ref.kind].formatRef(ref);
}

function formatAudio({ audio }: RenderPlan): string[] {
  const loudness = audio.loudness === null ? '' : `, to ${audio.loudness} LUFS`;
  const duck = audio.duckDb === 0 ? '' : `, music ${audio.duckDb} dB down under voice`;
  const head = `audio ${audio.totalSamples} samples, ${audio.bitrateKbps} kbit/s${loudness}${duck}, ${audio.key.slice(0, 12)}`;
  return [head, ...audio.clips.map((clip) => `  ${formatAudioClip(clip)}`)];
}

function formatAudioClip(clip: AudioClip): string {
  const { id, lane, bus, source, slot, trim, speed, gain, volumePoints, denoise, loop, fadeIn, fadeOut } = clip;
  const at = `[${slot.start}, ${slot.end}) ${round(slot.start / SAMPLE_RATE)}–${round(slot.end / SAMPLE_RATE)} s`;
  const points = volumePoints.map((point) => `${point.at}:${round(point.gain)}`);
  const extras = [
    bus !== 'plain' && bus !== 'tile' && ` as ${bus}`,
    denoise && ' without noise',
    loop && ' loops',
    fadeIn > 0 && ` fade in ${fadeIn}`,
    fadeOut > 0 && ` fade out ${fadeOut}`,
    points.length > 0 && ` volume ${points.join(' ')}`,
  ];
  const tail = extras.filter((extra) => extra !== false).join('');
  const from = typeof source === 'number' ? `#${source}` : source;
  return `${lane} ${quote(id)} ${from} ${at} plays ${formatMicros(trim)} ×${speed / 1e6} gain ${round(gain)}${tail}`;
}
