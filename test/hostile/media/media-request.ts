import { readFile } from 'node:fs/promises';
import type { Issue } from '../../../src/errors.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { type Listening, post } from '../../service/export-client.ts';

/** Files by the name their uploader gave them. */
export type NamedFiles = Readonly<Record<string, Buffer | string>>;

/** A form in which every file is its own clip, one after the other, `seconds` each; entry `n` plays file `n`. */
export function clipsForm(files: NamedFiles, { rename = '', seconds = 0.1 } = {}): FormData {
  const all = Object.entries(files);
  const form = new FormData();
  form.append('tier_list', JSON.stringify({}));
  const videos = all.map((_, n) => ({ file_field: `media${n}`, start: n * seconds, duration: seconds }));
  form.append('timeline_data', JSON.stringify({ videos }));
  for (const [n, [name, content]] of all.entries()) {
    form.append(`media${n}`, blobOf(content), `${name}${rename}`);
  }
  return form;
}

/** A form in which every file is its own soundtrack, all at once; entry `n` plays file `n`. */
export function soundsForm(files: NamedFiles): FormData {
  const all = Object.entries(files);
  const form = new FormData();
  form.append('tier_list', JSON.stringify({}));
  const soundtracks = all.map((_, n) => ({ file_field: `media${n}`, start: 0, duration: 0.1 }));
  form.append('timeline_data', JSON.stringify({ soundtracks }));
  for (const [n, [name, content]] of all.entries()) form.append(`media${n}`, blobOf(content), name);
  return form;
}

/** A form in which every file is the picture of an item on a board of a tenth of a second. */
export function itemsForm(files: NamedFiles): FormData {
  const all = Object.entries(files);
  const form = new FormData();
  const items = all.map(([name], n) => ({ id: `i${n}`, name, file_field: `media${n}` }));
  form.append('tier_list', JSON.stringify({ items }));
  form.append('timeline_data', JSON.stringify({ tier_blocks: [{ start: 0, duration: 0.1 }] }));
  for (const [n, [name, content]] of all.entries()) form.append(`media${n}`, blobOf(content), name);
  return form;
}

function blobOf(content: Buffer | string): Blob {
  return new Blob([typeof content === 'string' ? content : new Uint8Array(content)]);
}

/** The result for each file of a `clipsForm`: `name: code`, and the status of the response. */
export async function refusal(
  service: Listening,
  files: NamedFiles,
  options: { rename?: string } = {},
): Promise<{ status: number; codes: string[]; text: string }> {
  const reply = await post(service, clipsForm(files, options));
  const text = await reply.text();
  const { errors = [] } = JSON.parse(text) as { errors?: Issue[] };
  const codes = Object.keys(files).map((name, n) => {
    const own = errors.filter(
      ({ path }) => path.startsWith(`/timeline_data/videos/${n}/`) || path === `/timeline_data/videos/${n}`,
    );
    return `${name}: ${own.map(({ code }) => code).join() || 'taken'}`;
  });
  return { status: reply.status, codes, text };
}

/** The same verdict for every file. */
export function allWith(files: NamedFiles, code: string): string[] {
  return Object.keys(files).map((name) => `${name}: ${code}`);
}

/** JPEGs that show the numbers from `first` on. */
export async function numberedJpegs(count: number, first: number, width: number, height: number): Promise<Buffer[]> {
  const made: Buffer[] = [];
  for (let n = 0; n < count; n++) {
    const { file } = await makeClip({
      frames: 1,
      width,
      height,
      firstNumber: first + n,
      codec: 'mjpeg',
      pixelFormat: 'yuvj420p',
      container: 'image2',
      muxOptions: { update: 1 },
    });
    made.push(await readFile(file));
  }
  return made;
}
