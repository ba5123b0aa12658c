import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from './serve.ts';

const TITLE = { text: 'Hello', start: 0, duration: 1 };
const DOCUMENTS = { tier_list: {}, timeline_data: { titles: [TITLE] } };
const CLIP = { ...DOCUMENTS, timeline_data: { videos: [{ file_field: 'clip' }] } };
const clip = (fields: object) => ({ ...DOCUMENTS, timeline_data: { videos: [{ file_field: 'clip', ...fields }] } });
const [CREATE, VALIDATE] = ['POST /video/exports', 'POST /video/exports/validate'];
const HASH = 'a'.repeat(64);
const PROJECT = 'PUT /projects/0d9c1a52-1f0b-4b6e-9d0a-3a5c2e7f8b10';
const PRESETS = '"preset_one", "landscape", "preset_two", "portrait", "preset_three", "square"';
const STYLES = '"plain", "outline", "box", "pill", "pop", "shout", or an object based on one of them';

/** Requests, and their errors. */
const REFUSED: readonly (readonly [request: string, body: unknown, error: string])[] = [
  [
    CREATE,
    { ...CLIP, media_refs: { clip: 1 } },
    '/media_refs/clip field.type A reference must be a SHA-256 of 64 hexadecimal digits, not 1.',
  ],
  [
    CREATE,
    { ...CLIP, media_refs: { clip: HASH } },
    `/media_refs/clip reference.unknown The file ${HASH} does not exist or has expired. Send it with PUT /media/<sha256>, or as a part.`,
  ],
  [
    CREATE,
    { ...CLIP, media_urls: { clip: 5 } },
    '/media_urls/clip field.type The address of a file must be a text, not 5.',
  ],
  [
    CREATE,
    { ...DOCUMENTS, media_urls: ['x'] },
    '/media_urls field.type media_urls must be an object from file fields to addresses, not a list of 1.',
  ],
  [
    CREATE,
    { ...DOCUMENTS, destinations: { tall: 'https://a.example/b' } },
    `/destinations/tall field.choice A preset must be one of ${PRESETS}, not "tall".`,
  ],
  [
    CREATE,
    { ...DOCUMENTS, destinations: { square: {} } },
    '/destinations/square field.required "url" is missing: it must be the address of the destination.',
  ],
  [
    CREATE,
    { ...DOCUMENTS, retention_hours: 0 },
    '/retention_hours field.range retention_hours must be a whole number from 1 to 48, not 0.',
  ],
  [
    CREATE,
    { ...DOCUMENTS, settings: { reveal_sound: 'boom' } },
    '/settings/reveal_sound media.not_uploaded No file was uploaded under the form field "boom", which this entry names. Files uploaded: none. Made sounds: theme, pop, whoosh, impact, riser, drum_roll, ding, sad.',
  ],
  [
    VALIDATE,
    clip({ volume: 500 }),
    '/timeline_data/videos/0/volume field.range volume must be a number from 0 to 4, in percent from 0 to 400, not 500.',
  ],
  [
    VALIDATE,
    clip({ motion: 5 }),
    '/timeline_data/videos/0/motion field.type motion must be an object with from and to, or "ken_burns", not 5.',
  ],
  [
    VALIDATE,
    clip({ presets: { tall: {} } }),
    `/timeline_data/videos/0/presets/tall field.choice A preset must be one of ${PRESETS}, not "tall".`,
  ],
  [
    VALIDATE,
    { ...DOCUMENTS, settings: { subtitle_style: 'fancy' } },
    `/settings/subtitle_style field.choice subtitle_style must be one of ${STYLES}, not "fancy".`,
  ],
  [
    VALIDATE,
    { ...DOCUMENTS, settings: { board: 'ladder' } },
    '/settings/board field.type board must be an object with layout, not "ladder".',
  ],
  [
    'POST /video/frames',
    { ...DOCUMENTS, at: -1 },
    '/at field.format at must be a number of seconds from 0, such as 12.5, not -1.',
  ],
  [
    'POST /video/thumbnails',
    { ...DOCUMENTS, style: 'poster' },
    '/style field.choice style must be one of question, versus, podium, board, not "poster".',
  ],
  [
    'POST /video/pauses',
    { media_ref: HASH, padding: 99 },
    '/padding field.range padding must be a number of seconds from 0 to 5, not 99.',
  ],
  [
    'PUT /video/drafts/0d9c1a52-1f0b-4b6e-9d0a-3a5c2e7f8b10',
    { ...CLIP, media_urls: { clip: 'https://a.example/b' } },
    '/media_urls draft.needs_references A draft accepts media only by media_refs. Upload the files first, with PUT /media/<sha256>.',
  ],
  [PROJECT, { name: 5 }, '/name field.type name must be a text of 1 to 200 characters, not 5.'],
  [
    PROJECT,
    { media_refs: { clip: 'x' } },
    '/media_refs/clip field.format A reference must be a SHA-256 of 64 hexadecimal digits, not "x".',
  ],
  ['POST /session', { key: 5 }, '/key field.type key must be a text.'],
  [
    'GET /video/exports?cursor=zzz',
    null,
    '/cursor field.format cursor must be the `next` of an earlier page, unchanged, not "zzz".',
  ],
];

/** Accepted requests, and their warnings. */
const WARNED: readonly (readonly [request: string, body: unknown, warning: string])[] = [
  [
    VALIDATE,
    clip({ motion: { start: {} }, duration: 1 }),
    '/timeline_data/videos/0/motion/start field.unknown "start" is an unknown field and is ignored. Known fields: from, to, ease, before, after.',
  ],
  [
    VALIDATE,
    { ...DOCUMENTS, callback_events: ['export.failed'] },
    '/callback_events field.unused callback_events has no effect without callback_url.',
  ],
  [
    'GET /usage?form=2026-01-01',
    null,
    '/form field.unknown "form" is an unknown parameter and is ignored. Did you mean "from"?',
  ],
];

interface Said {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

test('[C5, C32] a message has the place, the value and what is allowed', async (t) => {
  const { base } = await serve(t);
  const said = async ([request, body]: readonly [string, unknown, string]) => {
    const [method, path] = request.split(' ') as [string, string];
    const sent = body === null ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const reply = (await (await fetch(base + path, { method, ...sent })).json()) as Record<
      'errors' | 'warnings',
      Said[]
    >;
    return (reply.errors ?? reply.warnings).map(({ path: at, code, message }) => `${at} ${code} ${message}`);
  };
  for (const row of [...REFUSED, ...WARNED]) assert.deepEqual(await said(row), [row[2]]);
});
