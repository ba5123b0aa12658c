import type { Export, Output } from '../../../packages/client/src/client.ts';
import { leftWords, type Sample, secondsLeft, spanWords } from '../kit/time-left.ts';
import * as texts from '../texts/en/export.ts';
import * as page from '../texts/en/page.ts';
import { isOpen, type Outputs } from './export-progress.ts';

/** After this time without progress, the panel reports it. */
const QUIET_MS = 20_000;

function isStopped({ error }: Pick<Output, 'error'>): boolean {
  return error?.code === 'output.stopped';
}

/** "About 40 s left", or what else is known of the time; null if nothing. */
export function timeWords(samples: readonly Sample[], nowMs: number): string | null {
  const last = samples.at(-1);
  if (last !== undefined && nowMs - last.ms >= QUIET_MS) {
    return texts.noProgress(spanWords((nowMs - last.ms) / 1000));
  }
  const left = secondsLeft(samples, nowMs);
  return left === null ? null : leftWords(left);
}

/** The state of a format, as text. */
export function stateWords(output: Output): string {
  if (output.state === 'completed') return texts.formatReady;
  if (isStopped(output) || output.state === 'cancelled') return texts.stopped;
  if (output.error !== undefined) return output.error.detail;
  if (output.state === 'failed') return texts.formatFailed;
  const percent = page.percent(Math.floor(output.progress * 100));
  if (output.state === 'rendering') return output.progress === 0 ? texts.formatStarts : percent;
  if (output.state !== 'queued') return texts.formatIdle;
  return output.progress === 0 ? texts.formatWaits : texts.formatInterrupted(percent);
}

/** The state of the whole export, as text. */
export function exportTitle({ outputs, error }: Pick<Export, 'outputs' | 'error'>): string {
  const all = Object.values(outputs);
  if (all.some(({ state }) => state === 'rendering')) return texts.rendering;
  if (all.some(isOpen)) return texts.waiting;
  if (error !== undefined && error.code !== 'output.stopped') return texts.failed;
  return all.some(isStopped) ? texts.stopped : texts.ready;
}

export function readyWords({ outputs }: Outputs): string {
  const all = Object.values(outputs);
  const ready = all.filter(({ state }) => state === 'completed').length;
  return texts.formatsReady(ready, all.length);
}

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

/** The request as a shell command. It needs no files, since the service already has the media. */
export function curlCommand(origin: string, fields: Readonly<Record<string, string>>, needsKey: boolean): string {
  const lines = [
    `curl -s ${quoted(`${origin}/video/exports`)}`,
    ...(needsKey ? [`  -H "Authorization: Bearer $TIERCUT_KEY"`] : []),
    `  -H 'Prefer: respond-async'`,
    ...Object.entries(fields).map(([name, text]) => `  --form-string ${quoted(`${name}=${text}`)}`),
  ];
  return lines.join(' \\\n');
}

/** In single quotes a shell interprets nothing but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
