import { randomFillSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { Rational } from 'node-av/lib';
import { ClipWriter } from '../fixtures/clip-writer.ts';
import { clipFolder } from '../fixtures/clips.ts';
import { allocateFrame } from '../fixtures/frame-painter.ts';
import type { ExportRequest } from '../service/export-client.ts';
import { CLIP } from '../service/sample-request.ts';

const [WIDTH, HEIGHT, FPS, SECONDS] = [640, 360, 30, 8];
/** More than one part of an S3 upload. */
const PADDING_BYTES = 12 * 2 ** 20;

let noise: Promise<string> | null = null;
let padded: string | null = null;

/** An export whose video is too long for one part of an upload. */
export async function noisyRequest(label: string): Promise<ExportRequest> {
  noise ??= makeNoise();
  return {
    documents: {
      tier_list: { title: label },
      timeline_data: {
        videos: [{ id: 'v', file_field: 'clip', start: 0, duration: SECONDS }],
        subtitles: [{ id: 's', text: label, start: 0, duration: SECONDS }],
      },
      settings: { width: WIDTH, height: HEIGHT, quality: 'draft' },
    },
    files: { clip: await noise },
  };
}

/** The same export from a clip of many bytes. */
export function withLargeUpload(request: ExportRequest): ExportRequest {
  padded ??= padClip();
  return { ...request, files: { clip: padded } };
}

/** A box that players skip makes an MP4 of any length. */
function padClip(): string {
  const box = Buffer.alloc(PADDING_BYTES);
  box.writeUInt32BE(box.length);
  box.write('free', 4, 'latin1');
  const file = join(clipFolder(), 'padded.mp4');
  writeFileSync(file, Buffer.concat([readFileSync(CLIP.file), box]));
  return file;
}

/** Pictures that do not compress. */
async function makeNoise(): Promise<string> {
  const file = join(clipFolder(), 'noise.mp4');
  await using writer = new ClipWriter('mp4', file);
  const track = await writer.add('libx264', { preset: 'ultrafast', crf: 20, threads: 1 }, (context) => {
    context.width = WIDTH;
    context.height = HEIGHT;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, FPS);
    context.framerate = new Rational(FPS, 1);
    context.gopSize = FPS;
  });
  await writer.start({});
  using frame = allocateFrame(WIDTH, HEIGHT, AV_PIX_FMT_YUV420P);
  for (let n = 0; n < SECONDS * FPS; n += 1) {
    frame.makeWritable();
    for (const plane of frame.data!) randomFillSync(plane);
    frame.pts = BigInt(n);
    await writer.encode(track, frame);
  }
  await writer.finish();
  return file;
}
