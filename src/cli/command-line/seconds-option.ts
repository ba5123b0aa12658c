import { ExportError } from '../../errors.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

/** Only the notations of numbers that people use. */
const SECONDS = /^(\d{1,9}(\.\d*)?|\.\d+)$/;

/** The value of `--at`. @throws `cli.usage` */
export function secondsOption(text: string): number {
  if (SECONDS.test(text.trim())) return Number(text);
  throw new ExportError('invalid', 'cli.usage', `--at must be seconds from 0 up, not ${shownText(text)}.`);
}
