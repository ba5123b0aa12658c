const MIN_SECONDS = 10;
const MIN_CHAPTERS = 3;

/** Whether YouTube accepts the lines as chapters: at least three, each at least 10 s after the one before. */
export function isTakenByYouTube(text: string): boolean {
  const starts = text.split('\n').map((line) => secondsOf(line.split(' ')[0]!));
  return starts.length >= MIN_CHAPTERS && starts.every((at, i) => i === 0 || at - starts[i - 1]! >= MIN_SECONDS);
}

/** `1:02:03` in seconds. */
function secondsOf(clock: string): number {
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
