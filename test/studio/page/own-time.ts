import type { Page } from 'playwright-core';
import { becomesTrue } from './shell-page.ts';

/** The camera's picture, shaped like its box in the first layout. */
const SIZE = { width: 212, height: 360 };
/** A number of the picture is this long. */
export const NUMBER_MS = 10;
export const BEEP_EVERY_MS = 1370;
const BEEP_MS = 50;
const AFTER_BEEP_MS = 100;
/** Samples are lost this long after a beep, so that every beep is whole. */
const LOST_AFTER_MS = 300;
/** How long the audio clock is followed from the start of a block. */
const HEARD_SECONDS = 1;
/** More than a file without pictures and sound. */
const HEADER_BYTES = 4000;
const SOUND_WORKER = '/own-sound.js';

export interface Loss {
  /** So many milliseconds of sound are lost after every so many beeps. */
  readonly ms: number;
  readonly everyBeeps: number;
}

/**
 * A microphone: every sample is computed from its own time, so a busy machine can delay it and cannot move it. (The clock of an
 * `AudioContext` stops while the machine is busy.)
 */
const soundWorker = ({ ms, everyBeeps }: Loss) => `onmessage = ({ data: { writable, origin, base } }) => {
  const [RATE, LENGTH] = [48000, 480];
  const writer = writable.getWriter();
  writer.closed.then(close, close);
  const sampleNow = () => ((performance.now() + performance.timeOrigin - origin - base) / 1000) * RATE;
  const valueAt = (ms) => (ms % ${BEEP_EVERY_MS} < ${BEEP_MS} ? Math.cos(2 * Math.PI * (ms % ${BEEP_EVERY_MS})) / 2 : 0);
  const isLost = (ms) => {
    const after = (ms % ${BEEP_EVERY_MS * everyBeeps}) - ${LOST_AFTER_MS};
    return after >= 0 && after < ${ms};
  };
  let at = Math.ceil(sampleNow() / LENGTH) * LENGTH;
  setInterval(() => {
    for (; at + LENGTH <= sampleNow(); at += LENGTH) {
      const startMs = (at / RATE) * 1000;
      if (isLost(startMs)) continue;
      const data = Float32Array.from({ length: LENGTH }, (_, i) => valueAt(((at + i) / RATE) * 1000));
      const timestamp = Math.round((base + startMs) * 1000);
      const format = { format: 'f32-planar', sampleRate: RATE, numberOfFrames: LENGTH, numberOfChannels: 1 };
      writer.write(new AudioData({ ...format, timestamp, data })).catch(() => {});
    }
  }, 5);
};`;

/**
 * Gives the page a camera and a microphone that show the page's own time: the picture shows it as `paintFrameNumber`
 * does, and the sound beeps at every multiple of `BEEP_EVERY_MS`. They are streams of the browser like any other; the delay of a real
 * device is unknown.
 */
export async function giveOwnTime(page: Page, loss: Loss = { ms: 0, everyBeeps: 1 }): Promise<void> {
  await page.route(`**${SOUND_WORKER}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: soundWorker(loss) }),
  );
  await page.addInitScript(`(() => {
    const base = performance.now();
    const own = (globalThis.ownTime = { last: 0, stream: null, policy: null, blocks: [], ofBuffer: new WeakMap(), nowMs: () => performance.now() - base });
    const { start } = AudioBufferSourceNode.prototype;
    const { createBuffer } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createBuffer = function (...given) {
      const buffer = createBuffer.apply(this, given);
      const block = { nowMs: performance.now() - base, ms: buffer.duration * 1000, heardMs: Infinity, lostMs: 0 };
      own.blocks.push(block);
      own.ofBuffer.set(buffer, block);
      return buffer;
    };
    AudioBufferSourceNode.prototype.start = function (when, late = 0) {
      const block = own.ofBuffer.get(this.buffer);
      const { context } = this;
      const look = () => {
        const { currentTime, outputLatency } = context;
        const heard = currentTime - when + late - (outputLatency || 0);
        if (heard > 0) {
          const begunMs = performance.now() - base - heard * 1000;
          const latestMs = Math.max(begunMs, block.heardMs === Infinity ? 0 : block.heardMs + block.lostMs);
          block.heardMs = Math.min(block.heardMs, begunMs);
          block.lostMs = latestMs - block.heardMs;
        }
        if (heard < ${HEARD_SECONDS}) requestAnimationFrame(look);
      };
      look();
      start.call(this, when, late);
    };
    // The page's policy accepts only its own scripts.
    const createPolicy = trustedTypes.createPolicy.bind(trustedTypes);
    trustedTypes.createPolicy = (name, { createScriptURL }) => {
      own.policy = createPolicy(name, { createScriptURL: (url) => url === '${SOUND_WORKER}' ? url : createScriptURL(url) });
      return own.policy;
    };
    for (const type of ['pointerup', 'keydown']) {
      addEventListener(type, ({ timeStamp }) => { own.last = timeStamp - base; }, true);
    }
    const bitsOf = (number) => {
      const check = [0, 4, 8, 12].reduce((sum, shift) => sum ^ ((number >> shift) & 15), 0b1010);
      return Array.from({ length: 20 }, (_, cell) => (cell < 16 ? number >> (15 - cell) : check >> (19 - cell)) & 1);
    };
    const pictures = () => {
      const canvas = Object.assign(document.createElement('canvas'), ${JSON.stringify(SIZE)});
      const context = canvas.getContext('2d');
      const draw = () => {
        const bits = bitsOf(Math.floor((performance.now() - base) / ${NUMBER_MS}));
        for (const [cell, bit] of bits.entries()) {
          context.fillStyle = bit ? '#fff' : '#000';
          const [x, y] = [cell % 5, Math.floor(cell / 5)];
          context.fillRect((x * canvas.width) / 5, (y * canvas.height) / 4, canvas.width / 5 + 1, canvas.height / 4 + 1);
        }
        requestAnimationFrame(draw);
      };
      draw();
      return canvas.captureStream(30).getTracks();
    };
    navigator.mediaDevices.getUserMedia = async ({ video }) => {
      const sound = new MediaStreamTrackGenerator({ kind: 'audio' });
      const { writable } = sound;
      const worker = new Worker(own.policy.createScriptURL('${SOUND_WORKER}'));
      worker.postMessage({ writable, origin: performance.timeOrigin, base }, [writable]);
      own.stream = new MediaStream([...(video ? pictures() : []), sound]);
      return own.stream;
    };
  })()`);
}

/** Waits until the microphone has beeped whole once more, and a little after it: so much is recorded since the call. */
export function beeped(page: Page): Promise<void> {
  return page.evaluate(`new Promise((heard) => {
    const look = () => (ownTime.nowMs() >= endMs ? heard() : setTimeout(look, 20));
    const endMs = Math.ceil(ownTime.nowMs() / ${BEEP_EVERY_MS}) * ${BEEP_EVERY_MS} + ${BEEP_MS + AFTER_BEEP_MS};
    look();
  })`);
}

/** When the last key or pointer was, in milliseconds of that time. */
export function lastEvent(page: Page): Promise<number> {
  return page.evaluate('ownTime.last');
}

/** A block of the playback's sound, in milliseconds of that time. */
interface HeardBlock {
  /** When it was scheduled, and its length. */
  readonly nowMs: number;
  readonly ms: number;
  /** When its start was heard, by the audio clock; infinite for a block that came too late. */
  readonly heardMs: number;
  /** How much the audio clock, which stops on a busy machine, lost in its first second. */
  readonly lostMs: number;
}

export function heardBlocks(page: Page): Promise<readonly HeardBlock[]> {
  return page.evaluate('ownTime.blocks');
}

/** The seconds at which beeps begin in a recorded file of sound. */
export function beepsIn(page: Page, hash: string): Promise<readonly number[]> {
  return page.evaluate(`(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('media');
    const file = await (await folder.getFileHandle('${hash}')).getFile();
    const sound = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(await file.arrayBuffer());
    const beeps = [];
    let last = -sound.length;
    for (const [at, value] of sound.getChannelData(0).entries()) {
      if (Math.abs(value) < 0.125) continue;
      if (at - last > 4800) beeps.push(at / 48000);
      last = at;
    }
    return beeps;
  })()`);
}

/** Waits until the clock of a running recording shows so many seconds. */
export function recordedSeconds(page: Page, seconds: number): Promise<void> {
  const shown = `document.querySelector('.tk-rec time').textContent.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)`;
  return becomesTrue(page, `Promise.resolve(${shown} >= ${seconds})`);
}

/** Waits until a running recording has a fragment in its file, so at least a second that a full disk cannot take away. */
export function fragmentWritten(page: Page): Promise<void> {
  return becomesTrue(
    page,
    `navigator.storage.getDirectory()
      .then((root) => root.getDirectoryHandle('takes', { create: true }))
      .then((folder) => Array.fromAsync(folder.values(), (handle) => handle.getFile()))
      .then((files) => files.some((file) => file.size > ${HEADER_BYTES}))`,
  );
}

/** Makes the page believe that the service accepts files of at most so many bytes. */
export async function limitFiles(page: Page, bytes: number): Promise<void> {
  await page.route(/\/studio(#.*)?$/, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const limited = body.replace(/(maxFileBytes(?:"|&quot;|&#34;):)\d+/, `$1${bytes}`);
    if (limited === body) throw new Error('the page names no limit');
    await route.fulfill({ response, body: limited });
  });
}

/** Unplugs the camera or the microphone. */
export function unplug(page: Page, kind: 'audio' | 'video'): Promise<void> {
  return page.evaluate(`for (const track of ownTime.stream.getTracks()) if (track.kind === '${kind}') track.stop()`);
}

/** Remembers the screens that the browser shares with the page, for `endSharing` and `refuseScreen`. */
export async function keepScreens(page: Page): Promise<void> {
  await page.addInitScript(`{
    const { mediaDevices } = navigator;
    const share = mediaDevices.getDisplayMedia;
    mediaDevices.getDisplayMedia = async (...args) => {
      const isRefused = globalThis.refusesScreen;
      globalThis.refusesScreen = false;
      if (isRefused) throw new DOMException('', 'NotAllowedError');
      return (globalThis.sharedScreen = await share.apply(mediaDevices, args));
    };
  }`);
}

/** Refuses the next request, as a user does who closes the browser's dialog. */
export function refuseScreen(page: Page): Promise<void> {
  return page.evaluate('void (globalThis.refusesScreen = true)');
}

/** Ends the sharing as the browser's own "Stop sharing" does: the track ends and says so, which `stop` alone does not. */
export function endSharing(page: Page): Promise<void> {
  return page.evaluate(`for (const track of sharedScreen.getTracks()) {
    track.stop();
    track.dispatchEvent(new Event('ended'));
  }`);
}

/** Shares screens that no longer change from the last second of the countdown on. */
export function shareStill(page: Page): Promise<void> {
  return page.evaluate(`{
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
    const context = canvas.getContext('2d');
    navigator.mediaDevices.getDisplayMedia = async () => canvas.captureStream();
    const timer = setInterval(() => {
      if (document.querySelector('.tk-count b')?.textContent === '1') clearInterval(timer);
      else context.fillRect(0, 0, 640, 360);
    }, 50);
  }`);
}

/** Lets the next requests for devices fail as browsers do. */
export function failDevices(page: Page, errorName: string): Promise<void> {
  return page.evaluate(`{
    const { mediaDevices } = navigator;
    globalThis.ownDevices ??= mediaDevices.getUserMedia;
    mediaDevices.getUserMedia = async () => { throw new DOMException('', '${errorName}'); };
  }`);
}

export function mendDevices(page: Page): Promise<void> {
  return page.evaluate('navigator.mediaDevices.getUserMedia = ownDevices');
}

/** Makes the page believe that it is in the background, or not. */
export function hide(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);
}
