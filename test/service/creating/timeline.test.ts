import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Issue } from '../../../src/errors.ts';
import { makeClip } from '../../fixtures/clips.ts';
import { problemOf } from '../../http/serve.ts';
import { type ExportRequest, metadataOf, played, post } from '../export-client.ts';
import { CLIP, PICTURE, sampleRequest, TIER_LIST } from '../sample-request.ts';
import { ServiceFixture } from '../service-fixture.ts';

const SONG = await makeClip({ frames: 0, sound: { seconds: 4, codec: 'pcm_s16le' }, container: 'wav' });
const FILES = { clip: CLIP.file, picture: PICTURE.file, song: SONG.file };
let service: ServiceFixture;
before(async () => {
  service = await ServiceFixture.start({ TIERCUT_PRERENDER: 'selected' });
});
after(() => service[Symbol.asyncDispose]());

interface Checked {
  readonly plan: string;
  readonly timeline_data: Readonly<Record<string, readonly object[]>> | null;
  readonly duration: number;
  readonly warnings: readonly Issue[];
}

/** The plan of a timeline, as text. */
async function planned(timeline_data: object, other: { settings?: object; tier_list?: object } = {}): Promise<Checked> {
  const documents = { tier_list: TIER_LIST, timeline_data, ...other };
  const reply = await post(service, { documents, files: FILES }, {}, '/video/exports/validate');
  const text = await reply.text();
  assert.equal(reply.status, 200, text);
  const { warnings, ...checked } = JSON.parse(text);
  return { ...checked, warnings: warnings.filter(({ code }: Issue) => code !== 'media.unreferenced') };
}

/** The paths and codes of what the service has against a timeline. */
async function refused(timeline_data: object, other: Partial<ExportRequest['documents']> = {}): Promise<string[]> {
  const documents = { tier_list: TIER_LIST, timeline_data, ...(other as Record<string, object>) };
  const problem = await problemOf(await post(service, { documents, files: FILES }, {}, '/video/exports/validate'), 422);
  return problem.errors.map(({ path, code }) => `${path} ${code}`);
}

function codes({ warnings }: Checked): string[] {
  return warnings.map(({ path, code }) => `${path} ${code}`);
}

const clip = (other: object = {}) => ({ file_field: 'clip', ...other });

test('[C14] required fields are checked, all others have defaults; ids are unique within a lane', async () => {
  const bare = await refused(
    {
      videos: [{}],
      soundtracks: [{}],
      tier_blocks: [{}],
      subtitles: [{}],
      tier_tiles: [{}],
    },
    { tier_list: { rows: [{}], items: [{}] } },
  );
  const required = {
    '/tier_list/items/0': 1,
    '/tier_list/rows/0': 1,
    '/timeline_data/soundtracks/0': 1,
    '/timeline_data/subtitles/0': 3,
    '/timeline_data/tier_blocks/0': 2,
    '/timeline_data/tier_tiles/0': 2,
    '/timeline_data/videos/0': 1,
  };
  const expected = Object.entries(required).flatMap(([path, count]) => Array(count).fill(`${path} field.required`));
  assert.deepEqual(bare.sort(), expected);
  const { plan } = await planned({ videos: [clip({ duration: 1 }), clip({ start: 1, duration: 1 })] });
  assert.match(plan, /c1 "videos\/1"/, 'an absent id is the place');
  assert.deepEqual(await refused({ videos: [clip({ id: 'a' }), clip({ id: 'a' })] }), [
    '/timeline_data/videos/1/id id.duplicate',
  ]);
});

test('[C15][C16][C17] a clip plays its trimmed part, at its speed; a source that is too short is held, with a warning', async () => {
  const { duration, plan } = await planned({ videos: [clip({ trim_start: 1, trim_end: 2, speed: 0.5, volume: 2 })] });
  assert.equal(duration, 2);
  assert.match(plan, /plays 1–2 s ×0\.5 gain 2/);
  const held = await planned({ videos: [clip({ duration: 5, trim_start: 0.5, trim_end: 1 })] });
  assert.deepEqual(codes(held), ['/timeline_data/videos/0 clip.source_too_short']);
  const cut = await planned({ videos: [clip({ trim_start: 0.5, trim_end: 1 })] }, { settings: { trim_end_as: 'cut' } });
  assert.match(cut.plan, /plays 0\.5–2 s/);
  const wrong = [{ trim_start: 2, trim_end: 1 }, { speed: 0.05 }, { volume: 5 }, { duration: 0 }, { start: -1 }];
  assert.deepEqual(await refused({ videos: wrong.map(clip) }), [
    '/timeline_data/videos/1/speed field.range',
    '/timeline_data/videos/3/duration field.range',
    '/timeline_data/videos/4/start field.range',
    '/timeline_data/videos/0/trim_end trim.empty',
    '/timeline_data/videos/2/volume field.range',
  ]);
});

test('[C18] a crop is read as fractions, percent or pixels, and returned in pixels', async () => {
  const units = [
    { crop_x: 0.25, crop_y: 0.25, crop_w: 0.5, crop_h: 0.5 },
    { crop_x: 25, crop_y: 25, crop_w: 50, crop_h: 50 },
    { crop_x: 10, crop_y: 10, crop_w: 110, crop_h: 50 },
  ];
  const { plan } = await planned({ videos: units.map((crop, start) => clip({ ...crop, start, duration: 1 })) });
  assert.deepEqual(
    Array.from(plan.matchAll(/ cut (\S+)/g), ([, cut]) => cut),
    ['64×36+32+18', '64×36+32+18', '110×50+10+10'],
  );
  assert.deepEqual(await refused({ videos: [clip({ crop_x: 0.75, crop_w: 0.5 })] }), [
    '/timeline_data/videos/0/crop_w crop.outside',
  ]);
});

test('[C19] videos draw and sound, audios and soundtracks sound; a picture may be a clip', async () => {
  const { plan } = await planned({
    videos: [clip({ duration: 3 }), { file_field: 'picture', start: 3, duration: 1 }],
    audios: [clip({ id: 'heard', start: 1 })],
    soundtracks: [{ id: 'song', file_field: 'song' }],
  });
  assert.deepEqual(
    Array.from(plan.matchAll(/^ {2}c\d+ "[^"]+" (\w+)/gm), ([, kind]) => kind),
    ['video', 'still'],
  );
  assert.deepEqual(Array.from(plan.matchAll(/^ {2}(videos|audios|soundtracks) /gm), ([, lane]) => lane).sort(), [
    'audios',
    'soundtracks',
    'videos',
  ]);
  assert.deepEqual(await refused({ videos: [{ file_field: 'song' }] }), [
    '/timeline_data/videos/0/file_field media.no_picture',
  ]);
});

test('[C20][C21] tier_block is tier_blocks, also as a single object; a block without percents has its default box', async () => {
  const [alias, single, plain] = await Promise.all(
    [{ tier_block: [{ start: 0, duration: 2 }] }, { tier_block: { start: 0, duration: 2 } }]
      .concat({
        tier_blocks: [{ start: 0, duration: 2 }],
      } as never)
      .map((timeline) => planned(timeline)),
  );
  const windows = [alias, single, plain].map((checked) => /windows\n {2}w0 "[^"]+" (.*)/.exec(checked!.plan)?.[1]);
  assert.deepEqual(new Set(windows), new Set(['[0, 60) 0–2 s at 116×64+6+4']));
  const both = await planned({ tier_blocks: [{ start: 0, duration: 2 }], tier_block: [{ start: 0, duration: 9 }] });
  assert.deepEqual([both.duration, codes(both)], [2, ['/timeline_data/tier_block alias.ignored']]);
});

test('[C22] the earliest reveal and the first row count, with a warning', async () => {
  const tier_list = { ...TIER_LIST, rows: [...TIER_LIST.rows, { id: 'A', label: 'A', item_ids: ['two'] }] };
  const tiles = [3, 1].map((position) => ({ tier_item_id: 'one', position }));
  const checked = await planned({ tier_blocks: [{ start: 0, duration: 4 }], tier_tiles: tiles }, { tier_list });
  assert.deepEqual(codes(checked), [
    '/tier_list/rows/1/item_ids/0 item.placed_twice',
    '/timeline_data/tier_tiles/0 tile.repeated',
  ]);
  assert.match(checked.plan, /pop "One"#0 \[30, /);
  assert.doesNotMatch(checked.plan, /reveal "Two"/, 'an item without a tile is there from the start');
});

test('[C23] a subtitle has the documented size, colours and box unless it sets others', async () => {
  const { plan } = await planned({
    subtitles: [
      { text: 'plain', start: 0, duration: 1 },
      { text: 'boxed', start: 1, duration: 1, align: 'middle', background_alpha: 100, size: 96, x_percent: 0 },
    ],
  });
  const [plain, boxed] = Array.from(plan.matchAll(/"(?:plain|boxed)" (.*)/g), ([, text]) => text!);
  assert.match(plain!, /^3\.2px center #ffffff, no background, in 104×12\+12\+56$/);
  assert.match(boxed!, /^6\.4px center #ffffff, on #000000 100 %, in 102×12\+0\+56$/);
});

test('[C24] the video lasts until the latest end; an empty timeline is an error', async () => {
  const { duration } = await planned({ videos: [clip()], subtitles: [{ text: 'x', start: 6, duration: 1.5 }] });
  assert.equal(duration, 7.5);
  assert.deepEqual(await refused({ videos: [], tier_blocks: [] }), ['/timeline_data timeline.empty']);
});

test('[C36] clips have their own box and fades; a soundtrack repeats to fill its slot', async () => {
  const { plan } = await planned({
    videos: [
      clip({
        duration: 3,
        x_percent: 50,
        y_percent: 50,
        width_percent: 50,
        height_percent: 50,
        fade_in: 1,
        fit: 'cover',
      }),
    ],
    soundtracks: [{ file_field: 'song', duration: 10, loop: true, fade_out: 2 }],
  });
  assert.match(plan, /64×36\+64\+36/);
  assert.match(plan, /soundtracks "soundtracks\/0" .*loop/);
  assert.match(plan, /fade/);
});

test('[C25] legacy clients: timeline_json with a media_manifest, as a list or an object, makes the same video', async () => {
  const { documents, files } = sampleRequest();
  const { timeline_data, tier_list } = documents as {
    timeline_data: { videos: object[] };
    tier_list: { items: object[] };
  };
  const byId = (entry: object) => {
    const { file_field, ...rest } = entry as { file_field?: string };
    return file_field === undefined ? rest : { ...rest, media_id: `id-${file_field}` };
  };
  const timeline_json = {
    ...timeline_data,
    videos: timeline_data.videos.map(byId),
    tier_list: { ...tier_list, items: tier_list.items.map(byId) },
    settings: { preset: 'preset_three' },
  };
  const manifests = [
    ['clip', 'picture'].map((field) => ({ id: `id-${field}`, file_field: field })),
    { 'id-clip': 'clip', 'id-picture': { file_field: 'picture' } },
  ];
  const legacy = await Promise.all(
    manifests.map(async (media_manifest) =>
      metadataOf(await post(service, { documents: { timeline_json, media_manifest }, files: files! }), 201),
    ),
  );
  const modern = await metadataOf(await post(service, sampleRequest({ settings: { preset: 'preset_three' } })), 201);
  for (const { outputs, settings } of legacy) {
    assert.equal(settings.preset, 'preset_three');
    assert.equal(outputs.preset_three!.sha256, modern.outputs.preset_three!.sha256);
  }
  const missing = {
    documents: { timeline_json, media_manifest: { 'id-clip': 'clip', 'id-picture': 'nothing' } },
    files: files!,
  };
  const { errors } = await problemOf(await post(service, missing), 422);
  assert.equal(errors[0]!.path, '/media_manifest/id-picture');
});

test('[C11] the three presets are configuration: names, sizes and aliases', async () => {
  const presets = [
    { name: 'wide', width: 256, height: 108, aliases: ['cinema'] },
    { name: 'story', width: 108, height: 192, aliases: [] },
    { name: 'tiny', width: 64, height: 64, aliases: [] },
  ];
  await using other = await ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(presets) });
  const made = await metadataOf(await post(other, sampleRequest({ settings: { preset: 'cinema' } })), 201);
  assert.deepEqual(Object.keys(made.downloads), ['wide', 'story', 'tiny']);
  assert.equal(made.settings.preset, 'wide');
  for (const { name, width, height } of presets) {
    const video = await played(Buffer.from(await (await fetch(`${other.base}${made.downloads[name]}`)).arrayBuffer()));
    assert.deepEqual([video.width, video.height], [width, height]);
  }
});

test('[C64] validate returns the timeline that auto makes; with the settings that auto implies it is the same video', async () => {
  const made = await planned({ auto: { intro: false } });
  const { timeline_data: timeline, plan, duration } = made;
  assert.deepEqual(codes(made), []);
  assert.equal(duration, 1.5 + 3.5 * timeline!.tier_tiles!.length + 3);
  const again = await planned(timeline!, { settings: { layout: 'board', background: { kind: 'theme' } } });
  assert.equal(again.plan, plan);
  assert.equal(again.timeline_data, null);
});
