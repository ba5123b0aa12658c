import { studioConfig } from '../kit/assets.ts';
import { begunAt, lengthInFrames, pause, play } from '../session/transport.ts';
import { choices, closeDevices, delayOf, openDevices, videoBitrate } from './devices.ts';
import { discardTake, keepTake, writeLog } from './keep-take.ts';
import { browserEnding, hasOwnRecorder, openBrowserRecorder, openRecorder } from './record/open-recorder.ts';
import { Take, type TakePorts } from './take.ts';
import { findUnfinished } from './unfinished-takes.tsx';

const ports: TakePorts<MediaStream> = {
  presets: studioConfig.presets,
  choices,
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  every(ms, run, until) {
    const timer = setInterval(run, ms);
    until.addEventListener('abort', () => clearInterval(timer));
  },
  async openDevices(chosen, lost) {
    const opened = await openDevices(chosen);
    if (!(opened instanceof MediaStream)) return opened;
    for (const track of opened.getTracks()) {
      track.addEventListener('ended', () => lost(track.kind === 'video' ? 'picture' : 'sound'));
    }
    return opened;
  },
  closeDevices,
  record(source, until) {
    const [video] = source.getVideoTracks();
    const [audio] = source.getAudioTracks();
    const isOwn = hasOwnRecorder();
    const name = `take-${Date.now()}${isOwn ? '.mp4' : browserEnding(source)}`;
    const recorder = (isOwn ? openRecorder : openBrowserRecorder)(source, {
      name,
      delays: { picture: delayOf(video), sound: delayOf(audio) },
      videoBitrate: videoBitrate(video),
      maxBytes: studioConfig.fileLimits.maxFileBytes,
    });
    void navigator.locks?.request(name, () => aborted(until));
    return { name, recorder };
  },
  keepAwake(until) {
    void navigator.wakeLock?.request('screen').then(
      (lock) => aborted(until).then(() => lock.release()),
      () => {},
    );
  },
  playback: { play: () => play(1), pause, begunAt, lengthInFrames },
  files: { keep: keepTake, discard: discardTake, findUnfinished, log: writeLog },
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

/** The take of the page. */
export const take = new Take(ports);

/** Opens the set-up, and watches the page until the take is left. */
export function enterTake(): void {
  const on = { signal: take.enter() };
  const lookHidden = () => {
    take.isHidden.value = document.hidden;
  };
  lookHidden();
  document.addEventListener('visibilitychange', lookHidden, on);
  addEventListener(
    'beforeunload',
    (event) => {
      if (take.step.value !== 'setup') event.preventDefault();
    },
    on,
  );
}
