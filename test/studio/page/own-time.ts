import type { Page } from 'playwright-core';

/** The camera's picture, shaped like its box in the first layout. */
const SIZE = { width: 212, height: 360 };
/** A number of the picture is this long. */
export const NUMBER_MS = 10;
const BEEP_EVERY_MS = 1370;

/**
 * Gives the page a camera and a microphone that show the page's own time: the picture shows it as `paintFrameNumber`
 * does, and the sound beeps at recorded moments. They are streams of the browser like any other; the delay of a real
 * device is unknown.
 */
export async function giveOwnTime(page: Page): Promise<void> {
  await page.addInitScript(`(() => {
    const base = performance.now();
    const own = (globalThis.ownTime = { beeps: [], last: 0, stream: null });
    for (const type of ['pointerup', 'keydown']) {
      addEventListener(type, ({ timeStamp }) => { own.last = timeStamp - base; }, true);
    }
    const bitsOf = (number) => {
      const check = [0, 4, 8, 12].reduce((sum, shift) => sum ^ ((number >> shift) & 15), 0b1010);
      return Array.from({ length: 20 }, (_, cell) => (cell < 16 ? number >> (15 - cell) : check >> (19 - cell)) & 1);
    };
    navigator.mediaDevices.getUserMedia = async () => {
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
      const sound = new AudioContext({ sampleRate: 48000 });
      await sound.resume();
      const [tone, gain, out] = [sound.createOscillator(), sound.createGain(), sound.createMediaStreamDestination()];
      tone.frequency.value = 1000;
      gain.gain.value = 0;
      tone.connect(gain).connect(out);
      tone.start();
      let next = performance.now() + 500;
      // Shortly before: the context's own clock falls behind on a busy machine.
      setInterval(() => {
        const ahead = next - performance.now();
        if (ahead > 300) return;
        const at = sound.currentTime + ahead / 1000;
        gain.gain.setValueAtTime(0.5, at);
        gain.gain.setValueAtTime(0, at + 0.05);
        own.beeps.push(next - base);
        next += ${BEEP_EVERY_MS};
      }, 50);
      own.stream = new MediaStream([...canvas.captureStream(30).getTracks(), ...out.stream.getTracks()]);
      return own.stream;
    };
  })()`);
}

/** When the last key or pointer was, in milliseconds of that time. */
export function lastEvent(page: Page): Promise<number> {
  return page.evaluate('ownTime.last');
}

export function beepsOf(page: Page): Promise<readonly number[]> {
  return page.evaluate('ownTime.beeps');
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
