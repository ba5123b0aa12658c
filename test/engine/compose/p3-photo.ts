import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { clipFolder } from '../../fixtures/clips.ts';
import type { Rgb } from './patch-clip.ts';

/** Display P3's red, green, blue and white, adapted to D50 as profiles hold them. */
const COLORANTS = {
  rXYZ: [0.51512, 0.2412, -0.00105],
  gXYZ: [0.29198, 0.69225, 0.04189],
  bXYZ: [0.1571, 0.06657, 0.78407],
  wtpt: [0.9642, 1, 0.82491],
};

/** Flat colours side by side in a JPEG that says by its profile, as a phone's does, that its numbers are Display P3's. */
export async function p3Photo(patches: readonly Rgb[], width: number, height: number): Promise<string> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (const [n, color] of patches.entries()) {
    context.fillStyle = `rgb(${color.map(Math.round).join(' ')})`;
    context.fillRect((n * width) / patches.length, 0, width / patches.length, height);
  }
  const jpeg = canvas.toBuffer('image/jpeg', 100);
  const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), p3Profile()]);
  const marker = Buffer.from([0xff, 0xe2, (profile.length + 2) >> 8, (profile.length + 2) & 0xff]);
  const file = join(clipFolder(), 'p3-photo.jpg');
  await writeFile(file, Buffer.concat([jpeg.subarray(0, 2), marker, profile, jpeg.subarray(2)]));
  return file;
}

/** The least a matrix profile consists of, but for its curves, which are taken to be sRGB's. */
export function p3Profile(): Buffer {
  const tags = Object.entries(COLORANTS);
  const table = 128 + 4;
  const bytes = Buffer.alloc(table + tags.length * (12 + 20));
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  bytes.write('acsp', 36, 'latin1');
  bytes.writeUInt32BE(tags.length, 128);
  for (const [n, [name, xyz]] of tags.entries()) {
    const at = table + tags.length * 12 + n * 20;
    bytes.write(name, table + n * 12, 'latin1');
    bytes.writeUInt32BE(at, table + n * 12 + 4);
    bytes.writeUInt32BE(20, table + n * 12 + 8);
    bytes.write('XYZ ', at, 'latin1');
    for (const [axis, value] of xyz.entries()) bytes.writeInt32BE(Math.round(value * 0x1_0000), at + 8 + axis * 4);
  }
  return bytes;
}
