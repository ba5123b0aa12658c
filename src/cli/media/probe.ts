import { resolve } from 'node:path';
import { colorNames } from '../../engine/color/color-names.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../engine/input/media-limits.ts';
import { probe } from '../../engine/probe/probe-media.ts';
import type { ProbedMedia } from '../../engine/probe/probed-media.ts';
import type { ProbedAudio } from '../../engine/probe/probed-sound.ts';
import type { ProbedVideo } from '../../engine/probe/probed-video.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { namingFile } from './naming-file.ts';

/** `tiercut probe FILE`: the facts of a media file, as a table or as JSON. */
export async function probeCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { operand: file, options } = readArguments('probe', args);
  const media = await probe(resolve(file), DEFAULT_MEDIA_LIMITS).catch((cause: unknown) => {
    throw namingFile(cause, file);
  });
  if (options.json) {
    terminal.out(JSON.stringify(media, null, 2));
  } else {
    const rows = describe(media);
    const width = Math.max(...rows.map(([label]) => label.length));
    for (const [label, value] of rows) terminal.out(`${label.padEnd(width)}  ${value}`);
  }
  return 0;
}

type Row = readonly [label: string, value: string];

function describe(media: ProbedMedia): Row[] {
  const rows: Row[] = [
    ['kind', media.kind],
    ['container', media.container],
  ];
  if (media.duration > 0) rows.push(['duration', `${media.duration} s`]);
  if (media.video !== null) rows.push(...describeVideo(media.video, media.facts.alpha));
  if (media.audio !== null) rows.push(['sound', describeAudio(media.audio)]);
  if (media.coverArt) rows.push(['cover art', 'present, not used']);
  if (media.problem !== null) rows.push(['problem', media.problem]);
  return rows;
}

function describeVideo(video: ProbedVideo, transparent: boolean): Row[] {
  const { picture, rate, frames } = video;
  const { orientation, sampleAspect, color } = picture;
  const rows: Row[] = [
    ['picture', `${video.codec}, ${picture.upright.width}×${picture.upright.height}`],
    ['stored as', `${picture.width}×${picture.height} ${picture.pixelFormatName}`],
  ];
  if (rate !== null) {
    const perSecond = Number((rate.num / rate.den).toFixed(3));
    rows.push(['rate', `${perSecond} a second, ${video.variableRate ? 'variable' : 'constant'}`]);
    rows.push(['frames', frames === null ? 'not counted' : String(frames)]);
    rows.push(['shown', `${video.start} to ${video.end} s`]);
  }
  if (orientation.mirrored || orientation.quarterTurns > 0) {
    const turn = `turned ${orientation.quarterTurns * 90}° clockwise`;
    rows.push(['orientation', orientation.mirrored ? `mirrored, then ${turn}` : turn]);
  }
  if (sampleAspect.num !== sampleAspect.den) rows.push(['pixel aspect', `${sampleAspect.num}:${sampleAspect.den}`]);
  const { matrix, range, transfer, primaries } = colorNames(color);
  rows.push(['color', `matrix ${matrix}, ${range} range, transfer ${transfer}, primaries ${primaries}`]);
  if (picture.interlaced) rows.push(['interlaced', picture.topFieldFirst ? 'top field first' : 'bottom field first']);
  if (picture.alpha) rows.push(['alpha', transparent ? 'transparent' : 'opaque all over']);
  return rows;
}

function describeAudio({ codec, sampleRate, layout, start, end }: ProbedAudio): string {
  return `${codec}, ${sampleRate} Hz, ${layout}, ${start} to ${end} s`;
}
