/**
 * A program against the generated types (`./api`). Lines that must not compile are marked: if the types accept one, the
 * mark itself is the error.
 */
export const PROGRAM = `
import type { components, operations, paths } from './api';

type Form = paths['/video/exports']['post']['requestBody']['content']['multipart/form-data'];
type Made = operations['createExport']['responses'];
type Problem = components['schemas']['Problem'];

const request: Form = {
  tier_list: { title: 'Two', rows: [{ id: 's', label: 'S', item_ids: ['a'] }], items: [{ id: 'a', name: 'A' }] },
  timeline_data: {
    videos: [{ file_field: 'clip_1', start: 0, duration: 2, speed: 1.5 }],
    tier_blocks: [{ start: 0, duration: 2 }],
    tier_tiles: [{ tier_item_id: 'a', position: 1 }],
    subtitles: [{ text: 'Hello', start: 0, duration: 1, align: 'center' }],
  },
  settings: { quality: 'draft', fps: 30 },
  external_id: 'mine',
  clip_1: new Blob(),
};

export const legacy: Form = {
  timeline_json: {
    videos: [{ media_id: 'm1', start: 0 }],
    soundtracks: [{ file_field: 'song' }],
    tier_list: { rows: [], items: [{ id: 'a', media_id: 'm2' }] },
  },
  media_manifest: { m1: 'clip', m2: { file_field: 'picture' } },
  clip: new Blob(),
};

export async function render(base: string, clip: Blob, key: string): Promise<Blob> {
  const form = new FormData();
  const parts = { ...request, clip_1: clip };
  for (const [name, part] of Object.entries(parts)) {
    form.append(name, part instanceof Blob ? part : JSON.stringify(part));
  }
  const headers: NonNullable<operations['createExport']['parameters']['header']> = { Prefer: 'respond-async' };
  const reply = await fetch(base + '/video/exports', {
    method: 'POST', body: form, headers: { 'X-Api-Key': key, ...headers },
  });
  if (!reply.ok) {
    const problem: Problem = await reply.json();
    throw new Error(problem.errors.map(({ path, code, message }) => [path, code, message].join(' ')).join());
  }
  const made: Made[202]['content']['application/json'] = await reply.json();
  const state: 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired' = made.state;
  const bytes: number | null = made.outputs.preset_one?.bytes ?? null;
  const seconds: number | null | undefined = made.duration;
  const video = await fetch(base + made.downloads.preset_two);
  const file: operations['downloadExport']['responses'][200]['content']['video/mp4'] = await video.blob();
  console.log(state, bytes, seconds, made.settings.preset, made.links.events, made.warnings[0]?.code);
  return file;
}

export const ended = (body: components['schemas']['Callback']): string =>
  body.export_id;
export const tooMany: operations['getExport']['responses'][429]['content']['application/problem+json'] = {
  type: '/docs/errors#rate.exceeded', title: 'Too Many Requests', status: 429, detail: 'Too many.', ok: false,
  code: 'rate.exceeded', errors: [],
};
type ErrorCode = components['schemas']['ErrorCode'];
export const worthAnotherTry: readonly ErrorCode[] = ['rate.exceeded', 'queue.full'];
export const ofALaterRelease: components['schemas']['Issue'] = { path: '', code: 'later.code', message: 'New.' };
// @ts-expect-error there is no such code
export const misspelt: ErrorCode = 'rate.exeeded';

const board = { tier_list: {} };
// @ts-expect-error a speed is a number
export const fast: Form = { ...board, timeline_data: { videos: [{ file_field: 'clip_1', speed: '1.5' }] } };
// @ts-expect-error there is no such quality
export const best: Form = { ...board, timeline_data: {}, settings: { quality: 'best' } };
// @ts-expect-error a misspelt field
export const late: Form = { ...board, timeline_data: { subtitles: [{ text: 'Hi', start: 0, durration: 1 }] } };
// @ts-expect-error a misspelt field of an entry that names its media by id
export const loud: Form = { timeline_json: { videos: [{ media_id: 'm1', volumne: 1 }] } };
// @ts-expect-error a timeline is needed
export const empty: Form = { tier_list: {} };
// @ts-expect-error a video is no text
export const text: operations['downloadExport']['responses'][200]['content']['video/mp4'] = 'text';
`;
