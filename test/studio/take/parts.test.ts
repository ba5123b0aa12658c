import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Planes } from '../../../src/studio/take/record/held-sound.ts';
import {
  EncoderQueue,
  type PartWriter,
  partName,
  partOf,
  TakeParts,
} from '../../../src/studio/take/record/take-parts.ts';
import { PreviewPace } from '../../../src/studio/take/take.ts';

const RATE = 4800;
const BUFFER = 48;
const PICTURE = RATE / 30;
const BYTES_PER_PICTURE = 1000;

/** A file that notes what is written to it. */
class NotedFile implements PartWriter<Frame> {
  readonly name: string;
  readonly scale: number;
  bytes = 0;
  isBehind = false;
  end: 'open' | 'finished' | 'closed' | 'discarded' = 'open';
  readonly pictures: number[] = [];
  /** The samples, each with its position in the recording as its value, and where they start. */
  readonly sound: number[] = [];
  soundFrom: number | null = null;

  constructor(number: number, scale: number) {
    this.name = partName('take-1.mp4', number);
    this.scale = scale;
  }

  addPicture(frame: Frame, seconds: number): boolean {
    frame.close();
    this.pictures.push(Math.round(seconds * RATE));
    this.bytes += BYTES_PER_PICTURE;
    return true;
  }

  async addSound({ planes, length }: Planes, seconds: number): Promise<void> {
    const at = Math.round(seconds * RATE);
    this.soundFrom ??= at;
    assert.equal(at, this.soundFrom + this.sound.length, 'sound follows sound');
    assert.equal(planes.length, length);
    this.sound.push(...planes);
    await turn();
  }

  async finish(): Promise<void> {
    assert.equal(this.end, 'open');
    this.end = 'finished';
  }

  close(): void {
    this.end = 'closed';
  }

  async discard(): Promise<void> {
    this.end = 'discarded';
  }
}

let openFrames = 0;

class Frame {
  constructor() {
    openFrames += 1;
  }

  clone(): this {
    return new Frame() as this;
  }

  close(): void {
    openFrames -= 1;
  }
}

/** Records so many seconds; pictures come later than the sound of their moment by `latePictures` ticks. */
async function record(
  seconds: number,
  maxBytes: number,
  { hasPicture = true, latePictures = 0, during = (_: readonly NotedFile[], _at: number) => {} } = {},
): Promise<{ files: NotedFile[]; parts: TakeParts<Frame> }> {
  const files = [new NotedFile(1, 1)];
  const open = async (number: number, scale: number) => {
    await turn();
    const file = new NotedFile(number, scale);
    files.push(file);
    return file;
  };
  const failed = (error: unknown) => assert.fail(String(error));
  const parts = new TakeParts(files[0]!, { rate: RATE, hasPicture, maxBytes, open, failed });
  let seen = 0;
  for (let at = 0; at < seconds * RATE; at += BUFFER) {
    const planes = Float32Array.from({ length: BUFFER }, (_, i) => at + i);
    await parts.addSound({ planes, channels: 1, length: BUFFER }, at);
    if (!hasPicture) for (const file of files) file.bytes = file.sound.length;
    for (; hasPicture && seen + latePictures <= at; seen += PICTURE) parts.addPicture(new Frame(), seen);
    during(files, at);
  }
  await parts.finish();
  assert.equal(openFrames, 0, 'every picture is closed');
  return { files, parts };
}

/** That the files hold everything: where one begins the one before goes on for a while, and nothing is missing. */
function checkWhole(files: readonly NotedFile[], parts: TakeParts<Frame>, seconds: number): void {
  // One may have been opened just before the end.
  const written = files.filter(({ end }) => end !== 'discarded');
  assert.deepEqual(
    parts.files.map(({ name }) => name),
    written.map(({ name }) => name),
  );
  for (const [i, file] of written.entries()) {
    const from = Math.round(parts.files[i]!.from * RATE);
    const next = parts.files[i + 1];
    const least = next === undefined ? seconds * RATE : Math.round(next.from * RATE) + RATE / 2;
    assert.equal(file.end, 'finished');
    assert.equal(file.soundFrom, 0, 'sound begins with the file');
    assert.ok(
      file.sound.every((value, j) => value === from + j),
      'every sample is at its place',
    );
    assert.ok(from + file.sound.length >= least, `sound up to ${from + file.sound.length} of ${least}`);
    if (file.pictures.length === 0) continue;
    assert.equal(file.pictures[0], 0, 'a file begins with a picture');
    assert.ok(
      file.pictures.every((at, j) => at === j * PICTURE),
      'every picture is there',
    );
  }
}

describe('the files of a recording', () => {
  for (const latePictures of [0, RATE / 5, -RATE / 5]) {
    test(`a full file continues in the next one: no picture and no sample is lost (pictures ${latePictures} late)`, async () => {
      const { files, parts } = await record(19, 200 * BYTES_PER_PICTURE, { latePictures });
      assert.equal(parts.files.length, 4);
      checkWhole(files, parts, 19);
      assert.ok(files.every(({ bytes }) => bytes <= 200 * BYTES_PER_PICTURE));
    });
  }

  test('a voice continues in the next file to the sample', async () => {
    const { files, parts } = await record(12, 5 * RATE, { hasPicture: false });
    assert.equal(parts.files.length, 4);
    checkWhole(files, parts, 12);
  });

  test('an encoder that falls behind makes the picture smaller, once', async () => {
    const { files, parts } = await record(9, 1e9, {
      during(all, at) {
        all.at(-1)!.isBehind = at > 3 * RATE;
      },
    });
    assert.deepEqual(
      files.map(({ scale }) => scale),
      [1, 0.5],
    );
    assert.ok(parts.isReduced);
    checkWhole(files, parts, 9);
  });

  test('if no other file can be opened, a slow encoder changes nothing, and a full file ends the recording', async () => {
    const only = new NotedFile(1, 1);
    only.isBehind = true;
    const errors: unknown[] = [];
    const failed = (error: unknown) => void errors.push(error);
    const maxBytes = 40 * BYTES_PER_PICTURE;
    const parts = new TakeParts(only, { rate: RATE, hasPicture: true, maxBytes, open: async () => null, failed });
    for (let picture = 0; picture < 30; picture += 1) {
      parts.addPicture(new Frame(), picture * PICTURE);
      await turn();
    }
    assert.deepEqual([errors, parts.isReduced], [[], false]);
    parts.addPicture(new Frame(), 30 * PICTURE);
    assert.equal((errors[0] as DOMException).name, 'QuotaExceededError');
  });

  test('a file that was opened but not used is removed', async () => {
    // The last picture makes the file full.
    const { files, parts } = await record(1, 39 * BYTES_PER_PICTURE);
    assert.equal(parts.files.length, 1);
    assert.deepEqual(
      files.map(({ end }) => end),
      ['finished', 'discarded'],
    );
  });

  test('a file is identified by its name', () => {
    const first = 'take-1700000000000.mp4';
    assert.deepEqual(partOf(first), { take: first, number: 1 });
    for (const number of [1, 2, 11]) assert.deepEqual(partOf(partName(first, number)), { take: first, number });
  });
});

/** A camera of 30 pictures a second and an encoder that takes so long for each. @returns when it is behind first, in milliseconds. */
function firstBehind(encodeMs: (now: number) => number): number | null {
  const queue = new EncoderQueue();
  const queued: number[] = [];
  let freeAt = 0;
  for (let now = 0; now < 30_000; now += 1000 / 30) {
    while (queued.length > 0 && queued[0]! <= now) {
      queued.shift();
      queue.done();
    }
    if (queue.add(now)) {
      freeAt = Math.max(freeAt, now) + encodeMs(now);
      queued.push(freeAt);
    }
    if (queue.isBehind(now)) return now;
  }
  return null;
}

test('the live preview slows down after dropped pictures, for 5 s', () => {
  const pace = new PreviewPace();
  const updates = (from: number, to: number, dropped: number) => {
    let count = 0;
    for (let now = from; now < to; now += 50) if (pace.isDue(now, dropped)) count += 1;
    return count;
  };
  assert.equal(updates(0, 5000, 0), 100);
  assert.equal(updates(5000, 10_000, 3), 10, 'two a second');
  assert.equal(updates(10_000, 15_000, 3), 100);
  assert.equal(updates(15_000, 18_000, 4) + updates(18_000, 23_000, 5), 16, 'each drop extends it');
  assert.equal(updates(23_000, 24_000, 5), 20);
});

describe('encoders that keep up or fall behind', () => {
  test('one that is fast enough is never behind', () => {
    assert.equal(
      firstBehind(() => 32),
      null,
    );
  });

  test('one that drops pictures is behind after 2 s, whether it drops most of them or some', () => {
    for (const ms of [40, 60, 200]) {
      const at = firstBehind(() => ms);
      assert.ok(at !== null && at > 2000 && at < 4000, `${ms} ms a picture: ${at}`);
    }
  });

  test('a stall of 1.5 s is tolerated', () => {
    assert.equal(
      firstBehind((now) => (now > 5000 && now < 5030 ? 1500 : 10)),
      null,
    );
  });
});
