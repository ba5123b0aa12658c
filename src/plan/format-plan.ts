import { type FrameRate, type Frames, type Micros, type Range, SAMPLE_RATE, secondsOf } from '../time.ts';
import type { BoardScene } from './board-scene.ts';
import type { PictureEnvelope } from './envelope/picture-envelope.ts';
import type { AudioClip, ClipLayer, LayerRef, Rect, RenderPlan, SubtitleLayer, Theme } from './render-plan.ts';

/**
 * A plan as text, for reading and for comparing: one line a thing, the same text for the same plan. Frames are written
 * `[start, end)`, with seconds beside them for people.
 */
export function formatPlan(plan: RenderPlan): string {
  const { canvas, rate, encoder } = plan;
  const every = `a key frame every ${encoder.keyframeEvery}`;
  return [
    `preset ${plan.preset}  ${canvas.width}×${canvas.height}  ${formatRate(rate)} fps  background ${canvas.background}`,
    `title ${quote(plan.title)}`,
    `length ${plan.totalFrames} frames (${seconds(plan.totalFrames, rate)})`,
    `encoder ${encoder.preset} crf ${encoder.crf}, ${every}`,
    ...section('sources', plan.sources, ({ field, hash }, i) => `#${i} ${quote(field)} ${hash.slice(0, 12)}`),
    ...section('clips', plan.clips, (clip, i) => formatClip(clip, i, rate)),
    `theme ${formatTheme(plan.theme)}`,
    ...formatBoard(plan.board, rate),
    ...section('windows', plan.windows, (window, i) => {
      const place = `w${i} ${quote(window.id)} ${span(window.shows, rate)} at ${formatRect(window.rect)}`;
      return [place, ...formatPassing(window)].join(', ');
    }),
    ...section('subtitles', plan.subtitles, (subtitle, i) => formatSubtitle(subtitle, i, rate)),
    ...(plan.progressBar === null ? [] : [`progress bar at ${formatRect(plan.progressBar.rect)}`]),
    ...section(
      'spans',
      plan.spans,
      (piece) => `${span(piece, rate)} ${piece.layers.map(formatRef).join(' ') || 'background'}`,
    ),
    ...section('chunks', plan.chunks, (chunk) => `${span(chunk, rate)} ${chunk.key.slice(0, 12)}`),
    ...formatAudio(plan),
    ...section('chapters', plan.chapters, (chapter) => `${span(chapter, rate)} ${quote(chapter.title)}`),
    ...section('shorts', plan.shorts, (short) => {
      const parts = short.chunks.map((chunk) => `[${chunk.start}, ${chunk.end}) ${chunk.key.slice(0, 12)}`);
      return `${span(short, rate)} ${quote(short.title)}: ${parts.join(', ')}`;
    }),
    ...section('warnings', plan.warnings, ({ path, code, message }) => `${path || '(request)'} ${code}: ${message}`),
    '',
  ].join('\n');
}

function formatClip(clip: ClipLayer, index: number, rate: FrameRate): string {
  const { crop, dest, backdrop, matte, fadeIn, fadeOut, look } = clip;
  const played = clip.kind === 'still' ? '' : ` plays ${formatMicros(clip.window)} ×${clip.speed / 1e6}`;
  const extras = [
    clip.loop && 'loops',
    clip.alpha && 'alpha',
    matte && `on ${formatRect(matte)}`,
    backdrop && `over blurred ${formatRect(backdrop.crop)} → ${formatRect(backdrop.dest)}`,
    fadeIn > 0 && `fade in ${fadeIn}`,
    fadeOut > 0 && `fade out ${fadeOut}`,
    look && `corners ${look.radiusPx} of ${formatRect(look.rect)}`,
    look?.border && `border ${look.border.color} ${look.border.widthPx}`,
    look?.shadow && 'shadow',
    ...formatPassing(clip),
  ].filter((extra) => typeof extra === 'string');
  const head = `c${index} ${quote(clip.id)} ${clip.kind} #${clip.source} ${span(clip.shows, rate)}${played}`;
  return [`${head} cut ${formatRect(crop)} → ${formatRect(dest)}`, ...extras].join(', ');
}

function formatTheme(theme: Theme): string {
  const { name, panel, lane, line, text, card, panelOpacity, corner, glass, font } = theme;
  const colors = `panel ${panel} ${Math.round(panelOpacity * 100)} %, lane ${lane}, line ${line}, text ${text}, card ${card}`;
  const extras = [`corner ${round(corner)}`, glass && 'glass', font !== null && `font #${font}`];
  return [name, colors, ...extras.filter((extra) => extra !== false)].join(', ');
}

function formatBoard(board: BoardScene | null, rate: FrameRate): string[] {
  if (board === null) return [];
  const name = (item: number): string => {
    const { name: text, image, fit } = board.items[item]!;
    return image === null ? quote(text) : `${quote(text)}#${image}${fit === 'contain' ? ' whole' : ''}`;
  };
  return [
    `board ${quote(board.title)}, ${board.card.shape} cards, names ${board.card.names}${board.counter ? ', counted' : ''}`,
    ...board.rows.map(({ label, color, items }) =>
      `  ${quote(label)} ${color}: ${items.map(name).join(' ')}`.trimEnd(),
    ),
    ...(board.pool.length > 0 ? [`  pool: ${board.pool.map(name).join(' ')}`] : []),
    ...board.events.map((event) => {
      const { item, at, end, style } = event;
      const when = span({ start: at, end }, rate);
      if (style !== 'move') return `  ${style} ${name(item)} ${when}`;
      const place = event.index === null ? 'the end' : event.index;
      return `  move ${name(item)} ${when} to ${quote(board.rows[event.row]!.label)} at ${place}`;
    }),
    ...board.items.flatMap(({ score, note }, item) =>
      score === '' && note === '' ? [] : [`  told of ${name(item)}: ${quote(score)} ${quote(note)}`],
    ),
  ];
}

function formatSubtitle(subtitle: SubtitleLayer, index: number, rate: FrameRate): string {
  const { id, shows, text, rect, sizePx, align, color, background, words } = subtitle;
  const box = background === null ? 'no background' : `on ${background.color} ${Math.round(background.alpha * 100)} %`;
  const head = `t${index} ${quote(id)} ${span(shows, rate)} ${quote(text)} ${sizePx}px ${align} ${color}, ${box}, in ${formatRect(rect)}`;
  const lit = words.map(({ from, to, at }) => `${quote(text.slice(from, to))} from ${at}`);
  return [head, ...formatPassing(subtitle), ...lit].join(', ');
}

function formatPassing({ enter, exit }: PictureEnvelope): string[] {
  return [
    ...(enter === null ? [] : [`enters by ${enter.kind} ${enter.frames}`]),
    ...(exit === null ? [] : [`leaves by ${exit.kind} ${exit.frames}`]),
  ];
}

function formatRef(ref: LayerRef): string {
  if (ref.kind === 'clip') return `c${ref.clip}`;
  if (ref.kind === 'progress') return 'bar';
  if (ref.kind === 'subtitle') return `t${ref.subtitle}${ref.changes ? '(changing)' : ''}`;
  const moving = ref.started - ref.settled;
  const passing = moving === 0 && ref.changes ? ' passing' : '';
  return `w${ref.window}(${ref.settled}${moving > 0 ? `+${moving} moving` : ''}${passing})`;
}

function formatAudio({ audio }: RenderPlan): string[] {
  const loudness = audio.loudness === null ? '' : `, to ${audio.loudness} LUFS`;
  const head = `audio ${audio.totalSamples} samples, ${audio.bitrateKbps} kbit/s${loudness}, ${audio.key.slice(0, 12)}`;
  return [head, ...audio.clips.map((clip) => `  ${formatAudioClip(clip)}`)];
}

function formatAudioClip({ id, lane, source, slot, window, speed, gain, loop, fadeIn, fadeOut }: AudioClip): string {
  const at = `[${slot.start}, ${slot.end}) ${round(slot.start / SAMPLE_RATE)}–${round(slot.end / SAMPLE_RATE)} s`;
  const extras = [loop && ' loops', fadeIn > 0 && ` fade in ${fadeIn}`, fadeOut > 0 && ` fade out ${fadeOut}`];
  const tail = extras.filter((extra) => extra !== false).join('');
  const from = typeof source === 'number' ? `#${source}` : source;
  return `${lane} ${quote(id)} ${from} ${at} plays ${formatMicros(window)} ×${speed / 1e6} gain ${round(gain)}${tail}`;
}

function section<T>(name: string, things: readonly T[], line: (thing: T, index: number) => string): string[] {
  return things.length === 0 ? [] : [name, ...things.map((thing, i) => `  ${line(thing, i)}`)];
}

function span({ start, end }: Range<Frames>, rate: FrameRate): string {
  return `[${start}, ${end}) ${seconds(start, rate).slice(0, -2)}–${seconds(end, rate)}`;
}

function seconds(count: Frames, rate: FrameRate): string {
  return `${round(secondsOf(count, rate))} s`;
}

function formatMicros({ start, end }: Range<Micros>): string {
  return `${round(start / 1e6)}–${round(end / 1e6)} s`;
}

function formatRate({ num, den }: FrameRate): string {
  return den === 1 ? String(num) : `${num}/${den}`;
}

function formatRect({ x, y, width, height }: Rect): string {
  return `${width}×${height}+${x}+${y}`;
}

function round(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

/** Control characters cannot break the line. */
function quote(text: string): string {
  return JSON.stringify(text);
}
