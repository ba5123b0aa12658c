import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { numbersIn } from '../../engine/encode/render-video.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { svgFile } from '../../fixtures/svg-file.ts';
import { metadataOf, post } from '../../service/export-client.ts';
import { AttackedService } from '../attacked-service.ts';
import { Canary } from '../canary.ts';
import { aviWithSubtitles } from '../files/avi-bytes.ts';
import { avcEntry, emptyKeyFrame } from '../files/h264-bytes.ts';
import { lures } from '../files/lures.ts';
import { matroska } from '../files/matroska-bytes.ts';
import { aliasTo, movie, urlTo } from '../files/movie-bytes.ts';
import { animatedPng, gif, greyPng, jpegClaiming, webp, webpAnimation } from '../files/picture-bombs.ts';
import { wav } from '../files/sound-bytes.ts';
import { svgBombs } from '../files/svg-bombs.ts';
import { allWith, clipsForm, itemsForm, type NamedFiles, numberedJpegs, refusal, soundsForm } from './media-request.ts';

const SIZE = { width: 128, height: 72 };
const PLANTED = 'neighbour.ts';
/** Frames of the neighbour show numbers from here on. */
const PLANTED_NUMBER = 5000;
const SECRET = 'this text lies beside the uploads and is nobody’s business';

const folder = mkdtempSync(join(tmpdir(), 'tiercut-hostile-'));
let service: AttackedService;
let canary: Canary;
let frames: Buffer[];
let neighbour: string;

before(async () => {
  service = await AttackedService.start({ TIERCUT_PRERENDER: 'selected' });
  canary = await Canary.open();
  frames = await numberedJpegs(3, 100, SIZE.width, SIZE.height);
  const clip = await makeClip({ frames: 30, ...SIZE, container: 'mpegts', firstNumber: PLANTED_NUMBER });
  neighbour = join(folder, PLANTED);
  writeFileSync(neighbour, await readFile(clip.file));
});
after(async () => {
  await canary[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts the neighbour, and a text, into the very folders uploads are written to; takes them away again. */
async function besideUploads<T>(work: () => Promise<T>): Promise<T> {
  const root = join(service.fixture.folder, 'work');
  const planted: string[] = [];
  const plant = async (): Promise<void> => {
    for (const entry of readdirSync(root, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      for (const [name, content] of [
        [PLANTED, await readFile(neighbour)],
        ['secret.txt', SECRET],
      ] as const) {
        const file = join(root, entry.name, name);
        try {
          writeFileSync(file, content);
          planted.push(file);
        } catch (error) {
          // The folder of work that has just ended is gone.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
    }
  };
  await plant();
  try {
    return await work();
  } finally {
    for (const file of planted) rmSync(file, { force: true });
  }
}

function bait() {
  return { port: canary.port, file: neighbour, name: PLANTED };
}

/** Renders the files as clips and looks at every frame of the video. */
async function renderedNumbers(files: NamedFiles): Promise<(number | null)[]> {
  const reply = await besideUploads(() => post(service, clipsForm(files), { accept: 'video/mp4' }));
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.equal(reply.status, 201, bytes.toString());
  assert.equal(bytes.indexOf(SECRET), -1);
  const file = join(clipFolder(), 'rendered.mp4');
  writeFileSync(file, bytes);
  const { numbers } = await numbersIn(file);
  rmSync(file);
  return numbers;
}

test('[C33, H9, H10] playlists and other texts that refer elsewhere are 422 under any name, and nothing is opened', async () => {
  const files = lures(bait());
  for (const rename of ['', '.mp4', '.png']) {
    const { status, codes, text } = await besideUploads(() => refusal(service, files, { rename }));
    assert.deepEqual(codes, allWith(files, 'media.unsupported'), text);
    assert.equal(status, 422);
    assert.ok(!text.includes(SECRET) && !text.includes(folder));
  }
  assert.deepEqual(canary.visits, []);
  await service.assertUnharmed();
  service.assertNothingKept();
});

test('[H10] movies that refer to external samples are refused, or play only their own', async () => {
  const shape = { frames, ...SIZE };
  const alias = { 'alias.mov': movie({ ...shape, reference: aliasTo(neighbour) }) };
  const { status, codes, text } = await refusal(service, alias);
  assert.deepEqual([status, codes], [422, allWith(alias, 'media.no_picture')], text);
  const numbers = await renderedNumbers({
    'url.mov': movie({ ...shape, reference: urlTo(`http://127.0.0.1:${canary.port}/x.mov`) }),
    'file-url.mp4': movie({ ...shape, reference: urlTo(`file://${neighbour}`) }),
  });
  assert.deepEqual(numbers, [100, 101, 102, 100, 101, 102]);
  assert.deepEqual(canary.visits, []);
  await service.assertUnharmed();
});

test('[H10] subtitles that are playlists, styled texts, fonts and data are left out of the video; patterns in names have no effect', async () => {
  const font = { name: 'planted.ttf', type: 'application/x-truetype-font', data: Buffer.from(SECRET) };
  const ass = `[Script Info]\nScriptType: v4.00+\n[Fonts]\nfontname: ${neighbour}\n`;
  const playlist = lures(bait())['url.m3u8']!;
  const files = {
    'gab2.avi': aviWithSubtitles(frames, SIZE.width, SIZE.height, playlist),
    'styled.mkv': matroska({ frames, ...SIZE, ass, data: true, attachments: [font, font, font] }),
    'plain.mov': movie({ frames, ...SIZE }),
    'seq%03d.jpg': frames[0]!,
    'glob*.jpg': frames[1]!,
  };
  const numbers = await renderedNumbers(files);
  assert.deepEqual(numbers, [100, 101, 102, 100, 101, 102, 100, 101, 102, 100, 100, 100, 101, 101, 101]);
  assert.deepEqual(canary.visits, []);
  await service.assertUnharmed();
});

test('[C33, H36] hundreds of tracks and attachments are refused', async () => {
  const attachment = { name: 'a.ttf', type: 'application/x-truetype-font', data: Buffer.alloc(64) };
  const files = {
    '500-attachments.mkv': matroska({ frames, ...SIZE, attachments: Array.from({ length: 500 }, () => attachment) }),
    '1001-tracks.mov': movie({ frames, ...SIZE, tracks: 1001 }),
    '17-tracks.mov': movie({ frames, ...SIZE, tracks: 17 }),
  };
  const { status, codes, text } = await refusal(service, files);
  assert.deepEqual(codes, allWith(files, 'media.too_many_streams'), text);
  assert.equal(status, 422);
  await service.assertUnharmed();
});

test('[C34, H13] headers with false sizes, lengths and counts are 422 within their budget', async () => {
  const whole = movie({ frames, ...SIZE });
  const coded = (width: number, height: number) =>
    movie({ frames: [emptyKeyFrame()], ...SIZE, sampleEntry: avcEntry(SIZE, { width, height }) });
  const files: NamedFiles = {
    '16384 × 16384 in its parameters.mp4': coded(16_384, 16_384),
    '16000 × 8000 in its parameters.mp4': coded(16_000, 8000),
    'years between frames.mov': movie({ frames, ...SIZE, delta: 0x7fffffff }),
    'a billion samples.mov': movie({ frames, ...SIZE, claimedSamples: 1_000_000_000 }),
    'a head and no more.mov': whole.subarray(0, 28),
    'tables cut off.mov': whole.subarray(0, whole.indexOf('stbl')),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const { status, codes, text } = await refusal(service, { [name]: bytes });
    assert.equal(status, 422, `${name}: ${text}`);
    assert.match(codes[0]!, /: media\.(too_many_pixels|too_long|unreadable|no_picture)$/, text);
  }
  await service.assertUnharmed();
});

test('[C34, H13] a movie of 300,000 edits has the sum of their lengths, which is over the limit', async () => {
  const edited = { 'edits.mov': movie({ frames, ...SIZE, edits: 300_000 }) };
  const { status, codes, text } = await refusal(service, edited);
  assert.deepEqual([status, codes], [422, allWith(edited, 'media.too_long')], text);
  await service.assertUnharmed();
});

test('[C34, H13] a file that takes too long to probe is given up, and the next one is probed', async () => {
  await using impatient = await AttackedService.start({ TIERCUT_CHILD_STALL_SECONDS: '2' });
  const files = { 'edits.mov': movie({ frames, ...SIZE, edits: 3_000_000 }), 'no picture at all.wav': 'RIFF' };
  const { status, codes, text } = await refusal(impatient, files);
  assert.deepEqual(
    [status, codes],
    [422, ['edits.mov: media.unreadable', 'no picture at all.wav: media.unsupported']],
    text,
  );
  await impatient.assertUnharmed();
  impatient.assertNothingKept();
});

test('[C34, H36] sounds with unsupported channel counts or rates are 422 before mixing starts', async () => {
  const files = {
    '17 channels.wav': wav({ channels: 17 }),
    '64 channels.wav': wav({ channels: 64 }),
    '65 channels.wav': wav({ channels: 65 }),
    '7 a second.wav': wav({ rate: 7 }),
    '5 million a second.wav': wav({ rate: 5_000_000 }),
  };
  const reply = await post(service, soundsForm(files));
  const text = await reply.text();
  assert.equal(reply.status, 422, text);
  const { errors } = JSON.parse(text) as { errors: { path: string; code: string }[] };
  assert.deepEqual(
    errors.map(({ path }) => path),
    Object.keys(files).map((_, n) => `/timeline_data/soundtracks/${n}/file_field`),
    text,
  );
  const most = await post(service, soundsForm({ '16 channels.wav': wav({ channels: 16 }) }));
  assert.equal(most.status, 201, await most.text());
  await service.assertUnharmed();
});

test('[C4, H13] empty and truncated files are errors', async () => {
  const empty = await post(service, clipsForm({ 'empty.mp4': '' }));
  assert.equal(empty.status, 400);
  const { code, errors } = (await empty.json()) as { code: string; errors: { path: string }[] };
  assert.deepEqual([code, errors[0]?.path], ['multipart.file_empty', '/media0']);
  const clip = await readFile((await makeClip({ frames: 30, ...SIZE })).file);
  const cuts = Object.fromEntries(
    [1, 7, 8, 16, 40, 200].map((length) => [`${length} bytes`, clip.subarray(0, length)]),
  );
  const { status, codes, text } = await refusal(service, cuts);
  assert.equal(status, 422, text);
  for (const verdict of codes) assert.match(verdict, /: media\.(unsupported|unreadable|no_frames)$/);
  await service.assertUnharmed();
});

/** What is refused by its header, and what by counting. */
function bombs(): NamedFiles {
  return {
    '30000².png': greyPng(30_000, 30_000),
    '65535 wide.png': greyPng(65_535, 8),
    '65535².gif': gif([65_535, 65_535], [65_535, 65_535], 1),
    '16384².webp': webp(16_384, 16_384),
    '65535².jpg': jpegClaiming(65_535, 65_535, frames[0]!),
    '16777216² canvas.webp': webpAnimation([16_777_216, 16_777_216], 2),
    '10000 frames.gif': gif([16, 16], [16, 16], 10_000),
    '10000 frames.png': animatedPng(16, 16, 10_000),
    '10000 frames.webp': webpAnimation([16, 16], 10_000),
  };
}

test('[C33, H11] picture bombs and an SVG are 422 as clips', async () => {
  const files = bombs();
  const { status, codes, text } = await refusal(service, files);
  assert.equal(status, 422, text);
  for (const verdict of codes) assert.match(verdict, /: media\.too_many_(pixels|frames)$/, text);
  const svg = await refusal(service, {
    'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>',
  });
  assert.deepEqual([svg.status, svg.codes], [422, ['a.svg: media.unsupported']]);
  await service.assertUnharmed();
});

test('[H12] SVGs as items are drawn without external resources, or become name cards', async () => {
  const { port, file } = bait();
  const drawn: NamedFiles = {
    'scripts.svg': svgFile(`<script>fetch("http://127.0.0.1:${port}/")</script><rect width="9" height="9"/>`),
    'references.svg': svgFile(
      `<image href="http://127.0.0.1:${port}/a.png" width="9" height="9"/><image href="file://${file}" width="9" height="9"/>` +
        `<style>@import url(http://127.0.0.1:${port}/a.css); @font-face { src: url(http://127.0.0.1:${port}/a.ttf) }</style>` +
        '<use href="neighbour.ts#a"/><rect width="9" height="9"/>',
    ),
    'itself.svg': svgFile('<g id="a"><use href="#a"/></g>'),
  };
  const refused: NamedFiles = svgBombs(file);
  // How long this one takes depends on how large it is drawn.
  const either: NamedFiles = {
    'filters.svg': svgFile(
      '<filter id="f"><feMorphology radius="900"/></filter><rect width="99" height="99" filter="url(#f)"/>',
    ),
  };
  const files = { ...drawn, ...refused, ...either };
  const { warnings, state } = await metadataOf(await besideUploads(() => post(service, itemsForm(files))), 201);
  assert.equal(state, 'completed');
  const warned = warnings.flatMap(({ path, code }) => {
    const item = /^\/tier_list\/items\/(\d+)/.exec(path)?.[1];
    const name = Object.keys(files)[Number(item ?? -1)];
    return name === undefined || name in either ? [] : [`${name}: ${code}`];
  });
  assert.deepEqual(warned.sort(), allWith(refused, 'paint.image_too_complex').sort());
  assert.deepEqual(canary.visits, []);
  await service.assertUnharmed();
});

test('[R12, H11] picture bombs as items become name cards, with a warning that gives the reason', async () => {
  const files: NamedFiles = {
    ...bombs(),
    'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>',
    'a lure': lures(bait())['url.m3u8']!,
    'frame larger than its screen.gif': gif([16, 16], [65_535, 65_535], 1),
  };
  const { warnings, state } = await metadataOf(await post(service, itemsForm(files)), 201);
  assert.equal(state, 'completed');
  for (const [n, name] of Object.keys(files).entries()) {
    const own = warnings.filter(
      ({ path }) => path.startsWith(`/tier_list/items/${n}/`) || path === `/tier_list/items/${n}`,
    );
    assert.ok(own.length > 0, `${name} is not warned about`);
  }
  assert.deepEqual(canary.visits, []);
  await service.assertUnharmed();
});
