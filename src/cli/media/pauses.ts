import { resolve } from 'node:path';
import { DEFAULT_MEDIA_LIMITS } from '../../engine/input/media-limits.ts';
import { findSpeech } from '../../engine/speech/find-speech.ts';
import { pausesBetween } from '../../speech/find-pauses.ts';
import { readWantedPauses } from '../../timeline/wanted-fields.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { namingFile } from './naming-file.ts';

/** `tiercut pauses FILE`: the pauses in speech, as a table or as JSON. (C78) */
export async function pausesCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { operand: file, options } = readArguments('pauses', args);
  const texts = new Map<string, string>();
  if (options['min-pause'] !== undefined) texts.set('min_pause', options['min-pause']);
  if (options.padding !== undefined) texts.set('padding', options.padding);
  const rules = readWantedPauses(texts, true);
  const { signal } = new AbortController();
  const { duration, speech } = await findSpeech(resolve(file), DEFAULT_MEDIA_LIMITS, signal).catch((cause: unknown) => {
    throw namingFile(cause, file);
  });
  const pauses = pausesBetween(speech, duration, rules);
  if (options.json) terminal.out(JSON.stringify({ duration, pauses, speech }, null, 2));
  else {
    for (const { start, end } of pauses) terminal.out(`${start.toFixed(3)}  ${end.toFixed(3)}`);
    const seconds = pauses.reduce((sum, { start, end }) => sum + end - start, 0);
    terminal.out(`${pauses.length} pauses, ${seconds.toFixed(1)} of ${duration.toFixed(1)} s`);
  }
  return 0;
}
