import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExportMetadata } from '../src/http/replies/export-replies.ts';
import { createAsync, ended, metadataOf, post } from '../test/service/export-client.ts';
import { cpuSeconds, openFiles, residentBytes } from '../test/service/process-tree.ts';
import { sampleRequest } from '../test/service/sample-request.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';
import { subtitledRequest } from '../test/service/subtitled-request.ts';
import { answering } from './service/answering.ts';
import { editing } from './service/edit.ts';
import { frameTimes } from './service/frames.ts';

const CREATES = 50;
const READERS = 200;
const EXPORTS = 500;
const MINUTES = 10;

/**
 * `npm run bench -- service [answering|frames|load|growth|reexport|edit]`: how the service holds up. Health must answer within 50 ms
 * (99 of 100) while requests are thought about, status within 100 ms while exports come in and render; its process must stay under
 * 300 MB and not grow, and an edit must cost 3 %.
 */
export async function run(parts: readonly string[]): Promise<void> {
  const wanted = (part: string) => parts.length === 0 || parts.includes(part);
  console.log(`${cpus().length} cores; exports of 3 s in three small presets by default\n`);
  console.log('| what | measured | wanted |\n|---|---|---|');
  if (wanted('answering')) await answer();
  if (wanted('frames')) await showFrames();
  if (wanted('load')) await load();
  if (wanted('growth')) await growth();
  if (wanted('reexport')) await reexport();
  if (wanted('edit')) await edit();
}

function row(what: string, measured: string, target: string): void {
  console.log(`| ${what} | ${measured} | ${target} |`);
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}

/** Each export is different, so that the cache has none of them. */
function nth(n: number) {
  return sampleRequest({ timeline_data: timelineOf(n), settings: { quality: 'draft' } });
}

function timelineOf(n: number) {
  return {
    videos: [{ file_field: 'clip', duration: 3 }],
    tier_blocks: [{ start: 1, duration: 2 }],
    tier_tiles: [{ tier_item_id: 'one', position: 2 }],
    subtitles: [{ text: `Export ${n}`, start: 0, duration: 3 }],
  };
}

async function answer(): Promise<void> {
  for (const { load, timesMs, served, residentBytes: most, cpuShare } of await answering()) {
    const [half, most99] = [percentile(timesMs, 0.5), percentile(timesMs, 0.99)];
    row(`/healthz under ${load}${served === 0 ? '' : ` (${served} times)`}: median`, `${half.toFixed(1)} ms`, '');
    row('… 99 of 100 within', `${most99.toFixed(1)} ms`, '50 ms');
    row('… memory of the HTTP process at the most', megabytes(most), '300 MB');
    row('… processor time in a second', `${cpuShare.toFixed(2)} s`, '');
  }
}

async function showFrames(): Promise<void> {
  for (const { what, timesMs, wantedMs } of await frameTimes()) {
    row(`${what}, ${timesMs.length} times: median`, `${percentile(timesMs, 0.5).toFixed(0)} ms`, `${wantedMs} ms`);
    row('… 95 of 100 within', `${percentile(timesMs, 0.95).toFixed(0)} ms`, '');
  }
}

async function load(): Promise<void> {
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_MAX_WAITING: '1000',
    TIERCUT_STAND_BACK: 'on',
  });
  const before = residentBytes(service.pid);
  const stop = new AbortController();
  const ids: string[] = [];
  const times: number[] = [];
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(service.pid));
  }, 100);
  const readers = Array.from({ length: READERS }, async (_, n) => {
    await delay(n * 5);
    while (!stop.signal.aborted) {
      const id = ids[n % Math.max(1, ids.length)];
      const begun = performance.now();
      await (await fetch(`${service.base}${id === undefined ? '/healthz' : `/video/exports/${id}`}`)).text();
      if (id !== undefined) times.push(performance.now() - begun);
      // A client that polls once a second, as a page would.
      await delay(1000, null, { signal: stop.signal }).catch(() => {});
    }
  });
  const begun = performance.now();
  const made = await Promise.all(
    Array.from({ length: CREATES }, async (_, n): Promise<ExportMetadata> => {
      const metadata = await createAsync(service, nth(n));
      ids.push(metadata.export_id);
      return metadata;
    }),
  );
  const accepted = performance.now();
  const done = await Promise.all(made.map(({ export_id }) => ended(service, export_id)));
  const finished = performance.now();
  stop.abort();
  await Promise.all(readers);
  clearInterval(watch);
  const completed = done.filter(({ outputs }) => Object.values(outputs).every(({ state }) => state === 'completed'));
  row(`${CREATES} creates at once, all three presets`, `${completed.length} completed`, `${CREATES}`);
  row('until the last was accepted', `${((accepted - begun) / 1000).toFixed(1)} s`, '');
  row('until the last was done', `${((finished - begun) / 1000).toFixed(1)} s`, '');
  const [half, most99] = [percentile(times, 0.5), percentile(times, 0.99)];
  row(`status for ${READERS} readers, ${times.length} times: median`, `${half.toFixed(0)} ms`, '');
  row('… 99 of 100 within', `${most99.toFixed(0)} ms`, '100 ms');
  const metrics = await (await fetch(`${service.base}/metrics`)).text();
  const [, lag] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics) ?? [];
  row('delay of the event loop, 99 of 100 within', `${(Number(lag) * 1000).toFixed(0)} ms`, '');
  row('memory of the HTTP process at rest', megabytes(before), '');
  row('… at the most', megabytes(most), '300 MB');
}

async function growth(): Promise<void> {
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'warn',
    TIERCUT_PRERENDER: 'selected',
    TIERCUT_CHUNK_CACHE: '1MiB',
  });
  const after: Record<number, { resident: number; files: number }> = {};
  for (let n = 1; n <= EXPORTS; n += 1) {
    const { export_id } = await metadataOf(await post(service, nth(n)), 201);
    await fetch(`${service.base}/video/exports/${export_id}`, { method: 'DELETE' });
    if (n % (EXPORTS / 5) === 0)
      after[n] = { resident: residentBytes(service.pid), files: openFiles(service.pid).length };
  }
  for (const [n, { resident, files }] of Object.entries(after)) {
    row(`memory after ${n} exports`, `${megabytes(resident)}, ${files} open files`, 'no growth');
  }
  row('files left', String(service.files('blobs').filter((file) => !file.startsWith('chunks')).length), '0');
}

/** Small, to measure the fixed cost of an export; and of a usual size. */
const REEXPORTED = [
  [160, 90],
  [1920, 1080],
] as const;

async function reexport(): Promise<void> {
  for (const [width, height] of REEXPORTED) {
    await using service = await ServiceFixture.start({
      TIERCUT_LOG_LEVEL: 'warn',
      TIERCUT_PRERENDER: 'selected',
      TIERCUT_PRESETS: JSON.stringify([
        { name: 'preset_one', width, height },
        { name: 'preset_two', width: height, height: width },
        { name: 'preset_three', width: 96, height: 96 },
      ]),
    });
    const seconds: number[] = [];
    for (const edited of [false, true]) {
      const before = cpuSeconds(service.pid);
      const { download_url } = await createAsync(service, subtitledRequest(MINUTES * 60, edited));
      await fetch(`${service.base}${download_url}`, { method: 'HEAD' });
      seconds.push(cpuSeconds(service.pid) - before);
    }
    const [first, second] = seconds as [number, number];
    row(`${MINUTES} minutes at ${width}×${height}, first time`, `${first.toFixed(1)} s of CPU`, '');
    row('… again with one subtitle changed', `${second.toFixed(1)} s of CPU`, '');
    row('… ratio', `${((100 * second) / first).toFixed(1)} %`, '3 %');
  }
}

async function edit(): Promise<void> {
  const { mediaBytes, edits } = await editing();
  for (const { how, seconds, sentBytes } of edits) {
    const all = seconds.map((one) => one.toFixed(1)).join(', ');
    const sent = sentBytes < 2 ** 20 ? `${(sentBytes / 1024).toFixed(0)} KB` : megabytes(sentBytes);
    row(
      `${MINUTES} minutes at 160×90 with ${megabytes(mediaBytes)} of media, ${how}: request to MP4`,
      `${percentile(seconds, 0.5).toFixed(1)} s (${all}), ${sent} sent`,
      '',
    );
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}
