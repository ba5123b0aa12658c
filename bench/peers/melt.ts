import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchRender } from '../render/timelines.ts';
import type { Still } from './stills.ts';

/** The same as an MLT project: the clips on one track, each still on its own track above them, at its time. */
export async function meltArguments(
  { plan, files }: BenchRender,
  stills: readonly Still[],
  folder: string,
  out: string,
): Promise<string[]> {
  const { canvas, rate, encoder } = plan;
  const last = plan.totalFrames - 1;
  const producer = (id: string, file: string, more = '') =>
    `<producer id="${id}"><property name="resource">${file}</property>${more}</producer>`;
  const clips = plan.clips.map(({ trim, shows }, i) => {
    const first = Math.round((trim.start * rate.num) / rate.den / 1e6);
    return `<entry producer="clip${i}" in="${first}" out="${first + shows.end - shows.start - 1}"/>`;
  });
  const xml = [
    `<mlt><profile width="${canvas.width}" height="${canvas.height}" progressive="1" sample_aspect_num="1" sample_aspect_den="1"`,
    `display_aspect_num="${canvas.width}" display_aspect_den="${canvas.height}" frame_rate_num="${rate.num}" frame_rate_den="${rate.den}" colorspace="709"/>`,
    ...plan.clips.map(({ source }, i) => producer(`clip${i}`, files.get(source)!)),
    ...stills.map(({ file }, i) => producer(`still${i}`, file, `<property name="length">${last + 1}</property>`)),
    `<playlist id="clips">${clips.join('')}</playlist>`,
    ...stills.map(({ start, end }, i) => {
      const blank = start === 0 ? '' : `<blank length="${start}"/>`;
      return `<playlist id="over${i}">${blank}<entry producer="still${i}" in="0" out="${end - start - 1}"/></playlist>`;
    }),
    `<tractor id="all" in="0" out="${last}"><track producer="clips"/>`,
    ...stills.map((_, i) => `<track producer="over${i}"/>`),
    ...stills.map(({ start, end, rect: { x, y, width, height } }, i) => {
      const place = `<property name="geometry">${x}/${y}:${width}x${height}</property>`;
      const tracks = `<property name="a_track">0</property><property name="b_track">${i + 1}</property>`;
      const service = '<property name="mlt_service">composite</property><property name="progressive">1</property>';
      return `<transition in="${start}" out="${end - 1}">${tracks}${service}${place}</transition>`;
    }),
    '</tractor></mlt>',
  ].join('\n');
  const project = join(folder, 'project.mlt');
  await writeFile(project, xml);
  return [
    ...['-silent', project, '-consumer', `avformat:${out}`],
    ...['vcodec=libx264', `preset=${encoder.preset}`, `crf=${encoder.crf}`, `g=${encoder.keyframeEvery}`],
    ...['pix_fmt=yuv420p', 'acodec=aac', `ab=${plan.audio.bitrateKbps}k`, 'ar=48000', 'channels=2'],
    ...['movflags=+faststart', `real_time=-${availableParallelism()}`, 'threads=0'],
  ];
}
