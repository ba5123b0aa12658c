import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

/** The value of `--at`. @throws `cli.usage` */
export function secondsOption(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new ExportError('invalid', 'cli.usage', `--at must be seconds from 0 up, not ${shownText(text)}.`);
}
