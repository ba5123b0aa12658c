import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SKRSContext2D } from '@napi-rs/canvas';
import '../making/skia-surface.ts';
import { writeClip } from '../making/clip-file.ts';
import type { Stereo } from '../making/stereo.ts';
import { writeWave } from '../making/wave-file.ts';
import { orbitViewSound, robotHostSound, starFlightSound } from './clip-sounds.ts';
import { composeMusic, MUSIC_SECONDS } from './music.ts';
import { createOrbitView, ORBIT_VIEW_SECONDS } from './orbit-view.ts';
import { PLANET_LOOKS, type PlanetLook } from './planet-looks.ts';
import { drawPlanetPicture } from './planet-picture.ts';
import { createRobotHost, ROBOT_HOST_SECONDS } from './robot-host.ts';
import { createStarFlight, STAR_FLIGHT_SECONDS } from './star-flight.ts';

/** How the media are made. */
export interface MediaOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told the share that is done, from 0 to 1, and the file being made; not called where nothing is to be made. */
  readonly onProgress?: ((done: number, file: string) => void) | undefined;
  /** `sample`: every file, but an eighth as large and half a second long. For tests. */
  readonly size?: 'full' | 'sample' | undefined;
}

/** A file, how long it lasts and what it holds. */
export interface MediaFile {
  readonly name: string;
  /** 0 for a picture. */
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly sound: boolean;
}

interface Making {
  readonly scale: number;
  readonly maxSeconds: number;
  readonly signal: AbortSignal | undefined;
  readonly onPart: (done: number) => void;
}

interface MadeFile extends MediaFile {
  /** About how long it takes, in thousandths of a second. */
  readonly effort: number;
  readonly make: (path: string, making: Making) => Promise<void>;
}

type CreateScene = (width: number, height: number) => (context: SKRSContext2D, seconds: number) => void;

const RATE = { num: 30, den: 1 };
const PICTURE_PX = 512;
const STAMP = 'made-from.txt';

const FILES: readonly MadeFile[] = [
  ...Object.entries(PLANET_LOOKS).map(([key, look]) => picture(`${key}.png`, look)),
  music('music.wav'),
  clip('star-flight.mp4', 1280, 720, STAR_FLIGHT_SECONDS, createStarFlight, starFlightSound),
  clip('orbit-view.mp4', 1280, 720, ORBIT_VIEW_SECONDS, createOrbitView, orbitViewSound),
  clip('robot-host.mp4', 960, 540, ROBOT_HOST_SECONDS, createRobotHost, robotHostSound),
];

/** Everything `makePlanetsMedia` makes. */
export const PLANETS_MEDIA: readonly MediaFile[] = FILES;

/**
 * Draws, plays and encodes all media of the planets example into a folder.
 *
 * What is there already is kept, unless this code has changed since. A file is there whole or not at all, so an
 * interrupted run can be taken up again.
 */
export async function makePlanetsMedia(folder: string, options: MediaOptions = {}): Promise<void> {
  const { signal, onProgress, size = 'full' } = options;
  await mkdir(folder, { recursive: true });
  const stamp = await recipeHash(size);
  const kept = (await readFile(join(folder, STAMP), 'utf8').catch(() => '')) === stamp;
  if (!kept) {
    await Promise.all([STAMP, ...FILES.map(({ name }) => name)].map((name) => rm(join(folder, name), { force: true })));
    await writeWhole(join(folder, STAMP), (path) => writeFile(path, stamp));
  }
  const whole = FILES.reduce((sum, { effort }) => sum + effort, 0);
  let before = 0;
  for (const file of FILES) {
    signal?.throwIfAborted();
    const path = join(folder, file.name);
    const onPart = (done: number) => onProgress?.((before + file.effort * done) / whole, file.name);
    const sizes = size === 'full' ? { scale: 1, maxSeconds: 3600 } : { scale: 1 / 8, maxSeconds: 0.5 };
    if (!(await exists(path))) {
      onPart(0);
      await writeWhole(path, (part) => file.make(part, { ...sizes, signal, onPart }));
      onPart(1);
    }
    before += file.effort;
  }
}

function picture(name: string, look: PlanetLook): MadeFile {
  return {
    ...{ name, seconds: 0, width: PICTURE_PX, height: PICTURE_PX, sound: false, effort: 150 },
    async make(path, { scale, signal }) {
      const canvas = drawPlanetPicture(look, PICTURE_PX * scale);
      await writeFile(path, await canvas.encode('png'), signal && { signal });
    },
  };
}

function music(name: string): MadeFile {
  return {
    ...{ name, seconds: MUSIC_SECONDS, width: 0, height: 0, sound: true, effort: 1500 },
    make: (path, { maxSeconds, signal }) => writeWave(path, composeMusic(Math.min(MUSIC_SECONDS, maxSeconds)), signal),
  };
}

function clip(
  name: string,
  width: number,
  height: number,
  seconds: number,
  createScene: CreateScene,
  createSound: (seconds: number) => Stereo,
): MadeFile {
  return {
    ...{ name, seconds, width, height, sound: true, effort: seconds * 500 },
    async make(path, { scale, maxSeconds, signal, onPart }) {
      const length = Math.min(seconds, maxSeconds);
      const frames = Math.round((length * RATE.num) / RATE.den);
      // Encoders of 4:2:0 want even sides.
      const side = (px: number) => 2 * Math.round((px * scale) / 2);
      const draw = createScene(side(width), side(height));
      const shape = { width: side(width), height: side(height), rate: RATE, frames, sound: createSound(length) };
      await writeClip(
        path,
        { ...shape, draw: (context, frame) => draw(context, (frame * RATE.den) / RATE.num) },
        { signal, onFrame: (done) => onPart(done / frames) },
      );
    },
  };
}

/** Writes beside the place a file goes to, then moves it there in one step. */
async function writeWhole(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await write(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Changes with any line of the code that makes the media. */
async function recipeHash(size: string): Promise<string> {
  const hash = createHash('sha256').update(size);
  for (const folder of [import.meta.dirname, join(import.meta.dirname, '..', 'making')]) {
    const sources = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
    for (const name of sources) hash.update(await readFile(join(folder, name)));
  }
  return hash.digest('hex');
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
