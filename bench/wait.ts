import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CreateRequest, TiercutClient } from '../packages/client/src/client.ts';
import { fileSource } from '../packages/client/src/node.ts';
import { createAsync, ended } from '../test/service/export-client.ts';
import { sampleRequest } from '../test/service/sample-request.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';
import { writeProject } from './render/project.ts';

/** Of the video; a number on the command line replaces it. */
const SECONDS = 180;
const SMALL_EXPORTS = 50;
/** An edit takes a user longer. Meanwhile the node starts the child of the next export. */
const EDIT_MS = 3_000;
const PRESETS = [
  { name: 'preset_one', width: 1920, height: 1080, aliases: ['landscape'] },
  { name: 'preset_two', width: 1080, height: 1920, aliases: ['portrait'] },
  { name: 'preset_three', width: 1080, height: 1080, aliases: ['square'] },
];

/** A project whose media are stored in the service. */
type Request = Pick<CreateRequest, 'tier_list' | 'timeline_data'> & {
  readonly media: Record<string, { media: string }>;
};

/**
 * `npm run bench -- wait [fresh|draft|small] [SECONDS]`: the time from *Export* to a download, of a video of three
 * minutes in 1080p: with nothing rendered, after a draft (C79), and after a draft and one more subtitle; and of many
 * small exports.
 */
export async function run(args: readonly string[]): Promise<void> {
  const parts = args.filter((arg) => !/^\d+$/.test(arg));
  const seconds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? SECONDS);
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; ${seconds} s of 1080p in three presets\n`);
  console.log('| what | seconds | goal |\n|---|---|---|');
  if (wanted('fresh')) await fresh(seconds);
  if (wanted('draft')) await drafted(seconds);
  if (wanted('small')) await small();
}

function row(what: string, seconds: number, goal = ''): void {
  console.log(`| ${what} | ${seconds.toFixed(1)} | ${goal} |`);
}

/** A new service, and a client. */
async function start(presets: readonly object[] = PRESETS) {
  const settings = {
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_PRESETS: JSON.stringify(presets),
    TIERCUT_MAX_WAITING: '1000',
    TIERCUT_MAX_DRAFTS: '1',
  };
  const service = await ServiceFixture.start(settings);
  return { service, client: new TiercutClient({ url: service.base }) };
}

/** Writes the project, and uploads its media. */
async function prepare(client: TiercutClient, seconds: number): Promise<Request> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercut-bench-wait-'));
  try {
    const { media, ...documents } = JSON.parse(await readFile(await writeProject(folder, seconds), 'utf8'));
    const uploaded: Record<string, { media: string }> = {};
    for (const [field, path] of Object.entries<string>(media)) {
      uploaded[field] = { media: (await client.upload(await fileSource(path))).media };
    }
    return { ...documents, media: uploaded };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fresh(seconds: number): Promise<void> {
  const { service, client } = await start();
  await using _service = service;
  const request = await prepare(client, seconds);
  const begun = performance.now();
  const since = () => (performance.now() - begun) / 1000;
  const { export_id: id, settings } = await client.create(request);
  row('nothing rendered: create returns', since());
  const firstBytes = watched(service.base, id, settings.preset).then(() =>
    row('… first segment of the stream', since()),
  );
  const main = client.wait(id).then(() => row('… main format', since()));
  await Promise.all([firstBytes, main]);
  for await (const { outputs } of client.follow(id)) {
    if (PRESETS.every(({ name }) => outputs[name]?.state === 'completed')) break;
  }
  row('… all three', since());
}

/** Resolves when the first segment of video can be played. (C49) */
async function watched(base: string, id: string, preset: string): Promise<void> {
  const address = `${base}/video/exports/${id}/hls/${preset}/video/index.m3u8`;
  for (;;) {
    const response = await fetch(address);
    const text = await response.text();
    if (response.ok && text.includes('.m4s')) return;
    await delay(50);
  }
}

async function drafted(seconds: number): Promise<void> {
  const { service, client } = await start();
  await using _service = service;
  const request = await prepare(client, seconds);
  const draft = randomUUID();
  const { media, ...documents } = request;
  const media_refs = Object.fromEntries(Object.entries(media).map(([field, { media: sum }]) => [field, sum]));
  const sent = performance.now();
  await client.drafts.put(draft, { ...documents, media_refs });
  row('a draft is taken in', (performance.now() - sent) / 1000);
  for (;;) {
    const { state } = await client.drafts.get(draft);
    if (state === 'failed') throw new Error('the draft failed');
    if (state === 'ready') break;
    await delay(200);
  }
  row('… and all of it rendered', (performance.now() - sent) / 1000);
  await delay(EDIT_MS);
  row('drafted: create to main format', await untilMain(client, request), '3');
  await delay(EDIT_MS);
  const { timeline_data } = request;
  const subtitles = [...(timeline_data.subtitles ?? []), { text: 'One more', start: seconds / 2 + 0.5, duration: 2 }];
  const edited = { ...request, timeline_data: { ...timeline_data, subtitles } };
  row('… after one subtitle more', await untilMain(client, edited), '5');
}

async function untilMain(client: TiercutClient, request: Request): Promise<number> {
  const begun = performance.now();
  const { export_id: id } = await client.create(request);
  await client.wait(id);
  const seconds = (performance.now() - begun) / 1000;
  await client.delete(id);
  return seconds;
}

/** Many exports of three seconds, in three small presets, at once. */
async function small(): Promise<void> {
  await using service = await ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'warn', TIERCUT_MAX_WAITING: '1000' });
  const begun = performance.now();
  const made = await Promise.all(
    Array.from({ length: SMALL_EXPORTS }, (_, n) => {
      const timeline_data = {
        videos: [{ file_field: 'clip', duration: 3 }],
        tier_blocks: [{ start: 1, duration: 2 }],
        subtitles: [{ text: `Export ${n}`, start: 0, duration: 3 }],
      };
      return createAsync(service, sampleRequest({ timeline_data, settings: { quality: 'draft' } }));
    }),
  );
  const done = await Promise.all(made.map(({ export_id }) => ended(service, export_id)));
  const completed = done.filter(({ outputs }) => Object.values(outputs).every(({ state }) => state === 'completed'));
  if (completed.length < SMALL_EXPORTS) throw new Error(`${completed.length} of ${SMALL_EXPORTS} completed`);
  row(`${SMALL_EXPORTS} exports of 3 s in three small presets`, (performance.now() - begun) / 1000, '40');
}
