import { type Signal, signal } from '@preact/signals';

/** Interval between readings. */
const EVERY_MS = 60;
/** How fast the peak falls, in decibels per reading. */
const FALL_DB = 1.5;
const QUIET_DB = -60;

/** The level of a stream in dBFS, until it is disposed. */
interface Level extends Disposable {
  readonly peak: Signal<number>;
}

export function levelOf(stream: MediaStream): Level {
  const peak = signal(QUIET_DB);
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 4096;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let max = 0;
    for (const sample of samples) max = Math.max(max, Math.abs(sample));
    const now = max === 0 ? QUIET_DB : Math.max(QUIET_DB, 20 * Math.log10(max));
    peak.value = Math.max(now, peak.peek() - FALL_DB);
  }, EVERY_MS);
  return {
    peak,
    [Symbol.dispose]() {
      clearInterval(timer);
      void context.close();
    },
  };
}
