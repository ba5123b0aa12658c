import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS, type MediaLimits } from '../../../src/engine/input/media-limits.ts';
import { openInput } from '../../../src/engine/input/open-input.ts';
import { PictureReader } from '../../../src/engine/picture/picture-reader.ts';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder, makeClip } from '../../fixtures/clips.ts';
import { SoundTrack } from '../../fixtures/sound-track.ts';

const folder = join(clipFolder(), 'hostile');

/** Files that make libavformat open other files when it may choose the demuxer itself. */
const LURES: Readonly<Record<string, string>> = {
  'list.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nneighbour.ts\n#EXT-X-ENDLIST\n',
  'list.ffconcat': 'ffconcat version 1.0\nfile neighbour.ts\n',
  'session.sdp':
    'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
  'manifest.mpd':
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation ' +
    'id="1" mimeType="video/mp4"><BaseURL>neighbour.ts</BaseURL></Representation></AdaptationSet></Period></MPD>',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="neighbour.png"/></svg>',
  'list.rtsp': 'rtsp://127.0.0.1/x',
  'text.txt': 'BM just text, GIF8 and RIFF',
};

before(async () => {
  await mkdir(folder, { recursive: true });
  const { file } = await makeClip({ frames: 30, container: 'mpegts' });
  await writeFile(join(folder, 'neighbour.ts'), await readFile(file));
});

for (const [name, text] of Object.entries(LURES)) {
  for (const disguise of [name, `${name}.mp4`, `${name}.ts`, `${name}.png`]) {
    test(`[H9] ${disguise} is refused`, async () => {
      const file = join(folder, disguise);
      await writeFile(file, text);
      await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), { kind: 'unsupported', code: 'media.unsupported' });
    });
  }
}

test('[H10] a file name with a pattern is one file, not a sequence', async () => {
  const picture = await makeClip({ frames: 1, codec: 'png', container: 'image2', muxOptions: { update: 1 } });
  const bytes = await readFile(picture.file);
  await writeFile(join(folder, 'seq001.png'), bytes);
  const pattern = join(folder, 'seq%03d.png');
  await assert.rejects(openInput(pattern, DEFAULT_MEDIA_LIMITS), { code: 'media.missing' });
  await writeFile(pattern, bytes);
  await using input = await openInput(pattern, DEFAULT_MEDIA_LIMITS);
  assert.equal(input.container, 'png');
});

test('[H10] a playlist behind the first bytes of a transport stream or an MP3 opens no other file', async () => {
  const playlist = LURES['list.m3u8']!;
  const packet = Buffer.alloc(188);
  packet[0] = 0x47;
  const sound = Buffer.from([0xff, 0xfb, 0x90, 0x64]);
  for (const head of [Buffer.concat([packet, packet, packet]), Buffer.concat([sound, Buffer.alloc(413), sound])]) {
    const file = join(folder, 'head-and-list');
    await writeFile(file, Buffer.concat([head, Buffer.from(playlist)]));
    const found = await openInput(file, DEFAULT_MEDIA_LIMITS).then(
      async (input) => {
        await using opened = input;
        return opened.video;
      },
      (error) => error.code,
    );
    assert(found === null || found === 'media.unreadable', `found ${found}`);
  }
});

test('[H10] a movie whose samples are in another file does not open that file', async () => {
  const clip = await makeClip({ frames: 30, container: 'mov' });
  const neighbour = join(folder, 'neighbour.mov');
  await writeFile(neighbour, await readFile(clip.file));
  const file = join(folder, 'references.mov');
  await writeFile(file, pointElsewhere(await readFile(clip.file), neighbour));
  await assert.rejects(PictureReader.open(file, DEFAULT_MEDIA_LIMITS, {}), { code: 'media.no_frames' });
});

test('[H36] more tracks than allowed are refused, whatever their content', async () => {
  const clip = await makeClip({ frames: 5, container: 'matroska', sound: { seconds: 1 } });
  const limits: MediaLimits = { ...DEFAULT_MEDIA_LIMITS, maxStreams: 1 };
  await assert.rejects(openInput(clip.file, limits), { code: 'media.too_many_streams' });
});

test('[H36] a file with dozens of tracks is refused before all are set up', async () => {
  for (const [container, codec] of [
    ['matroska', 'pcm_s16le'],
    ['mov', 'pcm_s16le'],
    ['mpegts', 'mp2'],
  ] as const) {
    const file = join(folder, `many-tracks.${container}`);
    await using writer = new ClipWriter(container, file);
    const tracks: SoundTrack[] = [];
    for (let n = 0; n < 40; n++) tracks.push(await SoundTrack.add(writer, { seconds: 0.2, codec, channels: 1 }, 0));
    await writer.start({});
    for (const track of tracks) await track.writeUntil(1);
    await writer.finish();
    await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), { code: 'media.too_many_streams' }, container);
  }
});

test('[H36] a video larger than allowed is refused, upright or rotated', async () => {
  const clip = await makeClip({ frames: 2, width: 320, height: 180 });
  const refused = { code: 'media.too_many_pixels', kind: 'invalid' };
  await assert.rejects(openInput(clip.file, { ...DEFAULT_MEDIA_LIMITS, maxWidth: 319, maxHeight: 240 }), refused);
  await using sideways = await openInput(clip.file, { ...DEFAULT_MEDIA_LIMITS, maxWidth: 180, maxHeight: 320 });
  assert.equal(sideways.container, 'mp4');
});

test('[H11] the size of a picture is read from its header, before any decoder runs', async () => {
  const bomb = Buffer.from('89504e470d0a1a0a0000000d49484452000075300000753008060000000000000000', 'hex');
  const file = join(folder, 'bomb.png');
  await writeFile(file, bomb);
  await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), {
    code: 'media.too_many_pixels',
    message: /30000×30000/,
  });
  const gif = Buffer.from('47494638396100fffffff70000', 'hex');
  await writeFile(file, gif);
  await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), { code: 'media.too_many_pixels' });
});

test('empty, missing and damaged files each have their own error', async () => {
  const file = join(folder, 'none');
  await writeFile(file, '');
  await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), { code: 'media.empty', kind: 'invalid' });
  await assert.rejects(openInput(`${file}.gone`, DEFAULT_MEDIA_LIMITS), { code: 'media.missing', kind: 'missing' });
  await writeFile(file, Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'));
  await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), { code: 'media.unreadable', kind: 'invalid' });
});

test('only absolute paths are opened; any other path is a bug', async () => {
  for (const path of [
    'clip.mp4',
    'file:clip.mp4',
    'concat:/a|/b',
    'http://127.0.0.1/x',
    'data:,x',
    'subfile,,start,0,end,0,,:/x',
  ]) {
    await assert.rejects(openInput(path, DEFAULT_MEDIA_LIMITS), /absolute path/);
  }
});

test('[H21] error messages contain no path and no text of a library', async () => {
  const file = join(folder, 'secret-name.mp4');
  await writeFile(file, Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'));
  await assert.rejects(openInput(file, DEFAULT_MEDIA_LIMITS), (error: Error) => {
    assert.doesNotMatch(error.message, /secret|\/|Invalid data|libav|avformat/);
    assert(error.cause instanceof Error);
    return true;
  });
});

test('an aborted signal opens nothing', async () => {
  const clip = await makeClip({ frames: 2, width: 320, height: 180 });
  const aborted = AbortSignal.abort(new Error('enough'));
  await assert.rejects(openInput(clip.file, DEFAULT_MEDIA_LIMITS, aborted), /enough/);
});

test('an opened file is closed again, also if opening failed', async () => {
  const clip = await makeClip({ frames: 2, width: 320, height: 180 });
  const short = await makeClip({ frames: 5, container: 'matroska', firstSeconds: 7.5 });
  const damaged = join(folder, 'damaged.mp4');
  await writeFile(damaged, Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'));
  const descriptors = async () => (await readdir('/proc/self/fd').catch(() => [])).length;
  const held = await descriptors();
  for (let n = 0; n < 20; n++) {
    for (const { file } of [clip, short]) {
      await using input = await openInput(file, DEFAULT_MEDIA_LIMITS);
      assert.equal(input.streams.length, 1);
    }
    await assert.rejects(openInput(damaged, DEFAULT_MEDIA_LIMITS));
    await assert.rejects(openInput(clip.file, { ...DEFAULT_MEDIA_LIMITS, maxStreams: 0 }));
  }
  assert.equal(await descriptors(), held);
});

/** The movie with its data reference replaced by a QuickTime alias to `path`; its `moov` is the last atom. */
function pointElsewhere(movie: Buffer, path: string): Buffer {
  const name = Buffer.from(path);
  const alias = Buffer.alloc(12 + 10 + 28 + 12 + 64 + 16 + 4 + 16 + 4 + name.length + (name.length % 2) + 4);
  alias.writeUInt32BE(alias.length, 0);
  alias.write('alis', 4, 'latin1');
  const tail = alias.length - 4 - name.length - (name.length % 2) - 4;
  alias.writeUInt16BE(2, tail); // an absolute path follows
  alias.writeUInt16BE(name.length, tail + 2);
  name.copy(alias, tail + 4);
  alias.writeUInt16BE(0xffff, alias.length - 4);

  const entry = movie.indexOf('dref') + 12;
  const grown = alias.length - movie.readUInt32BE(entry);
  const pointed = Buffer.concat([movie.subarray(0, entry), alias, movie.subarray(entry + movie.readUInt32BE(entry))]);
  for (const atom of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const size = pointed.lastIndexOf(atom, entry) - 4;
    pointed.writeUInt32BE(pointed.readUInt32BE(size) + grown, size);
  }
  return pointed;
}
