import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AV_PKT_DATA_DOVI_CONF } from 'node-av/constants';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { mp4Tracks } from '../../../src/engine/input/mp4-tracks.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { type ClipOptions, clipFolder, makeClip } from '../../fixtures/clips.ts';

const limits = DEFAULT_MEDIA_LIMITS;
const KEY = '00112233445566778899aabbccddeeff';
const CENC = { encryption_scheme: 'cenc-aes-ctr', encryption_key: KEY, encryption_kid: KEY };
const small: ClipOptions = { frames: 10, width: 64, height: 64 };

/** A copy of an MP4 in which sample entries of one name have another. */
async function renamed(file: string, from: string, to: string, name: string): Promise<string> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(from, bytes.indexOf('stsd'), 'latin1');
  assert.notEqual(at, -1);
  bytes.write(to, at, 'latin1');
  const copy = join(clipFolder(), name);
  await writeFile(copy, bytes);
  return copy;
}

test('[R7] an MP4 whose tracks are all encrypted is refused', async () => {
  const both = await makeClip({ ...small, sound: { seconds: 0.3 }, muxOptions: CENC });
  await assert.rejects(probe(both.file, limits), { code: 'media.encrypted', kind: 'unsupported' });
  const fragmented = await makeClip({ ...small, muxOptions: { ...CENC, movflags: 'empty_moov+frag_keyframe' } });
  await assert.rejects(probe(fragmented.file, limits), { code: 'media.encrypted' });
  const song = await makeClip({ frames: 0, sound: { seconds: 0.3 } });
  await assert.rejects(probe(await renamed(song.file, 'mp4a', 'drms', 'song.m4p'), limits), {
    code: 'media.encrypted',
  });
});

test('[R7] encrypted fragments are named, even if libavformat does not open them', async () => {
  const muxOptions = { ...CENC, movflags: 'empty_moov+default_base_moof+frag_keyframe' };
  const { file } = await makeClip({ ...small, muxOptions });
  const bytes = await readFile(file);
  const records = Buffer.from(bytes);
  // As many samples as no fragment has.
  for (let at = records.indexOf('senc'); at !== -1; at = records.indexOf('senc', at + 1))
    records.writeInt32BE(-1, at + 8);
  const type = Buffer.from('\0\0\0\x18stypmsdh\0\0\0\0msdhmsix', 'latin1');
  const segment = Buffer.concat([type, bytes.subarray(bytes.indexOf('moof') - 4)]);
  for (const [name, content] of Object.entries({ records, segment })) {
    const broken = join(clipFolder(), `encrypted-${name}.mp4`);
    await writeFile(broken, content);
    await assert.rejects(probe(broken, limits), { code: 'media.encrypted' }, name);
  }
});

test('[R7] an unencrypted track beside an encrypted one is used', async () => {
  const clear = await makeClip({ ...small, sound: { seconds: 0.3 } });
  const mute = await probe(await renamed(clear.file, 'mp4a', 'enca', 'mute.mp4'), limits);
  assert.deepEqual([mute.kind, mute.facts.sound], ['video', false]);
  const blind = await probe(await renamed(clear.file, 'avc1', 'encv', 'blind.mp4'), limits);
  assert.deepEqual([blind.kind, blind.facts.sound], ['audio', true]);
});

test('[R7] an unreadable track does not hide those after it, and an index may reach to the end of the file', async () => {
  const { file } = await makeClip({ ...small, sound: { seconds: 0.3 } });
  const [picture, sound] = await mp4Tracks(file);
  assert.deepEqual([picture![1].handler, sound![1].handler], ['vide', 'soun']);
  assert.deepEqual([...(await mp4Tracks(await renamed(file, 'stsd', 'stxx', 'torn.mp4')))], [sound]);
  const bytes = await readFile(file);
  const index = bytes.lastIndexOf('moov', undefined, 'latin1') - 4;
  assert.equal(index + bytes.readUInt32BE(index), bytes.length);
  bytes.writeUInt32BE(0, index);
  const endless = join(clipFolder(), 'endless.mp4');
  await writeFile(endless, bytes);
  assert.deepEqual([...(await mp4Tracks(endless))], [picture, sound]);
});

test('[R7] Dolby Vision profile 5 is refused; profile 8, which other decoders read as HDR10, is not', async () => {
  for (const [profile, compatible] of [
    [5, 0],
    [8, 1],
  ] as const) {
    const made = makeClip({
      ...small,
      codec: 'libx265',
      pixelFormat: 'yuv420p10le',
      streamData: [[AV_PKT_DATA_DOVI_CONF, Buffer.from([1, 0, profile, 1, 1, 0, 1, compatible, 0])]],
      container: 'matroska',
      muxOptions: { strict: 'unofficial' },
    });
    const probed = made.then(({ file }) => probe(file, limits));
    if (profile === 8) assert.equal((await probed).kind, 'video');
    else await assert.rejects(probed, { code: 'media.unsupported', message: /Dolby Vision profile 5/ });
  }
});
