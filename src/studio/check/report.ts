import type { CardResult } from '../export/device-messages.ts';
import * as texts from '../texts/en/check.ts';
import type { BrowserFact } from './browser-facts.ts';

/** A format and its test card. */
export interface CheckedFormat {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly result: CardResult;
}

/** What a person pastes into an issue: plain text, a line for each result. */
export function reportOf(
  about: { readonly program: string; readonly userAgent: string; readonly threads: number },
  formats: readonly CheckedFormat[],
  facts: readonly BrowserFact[],
): string {
  const line = (ok: boolean, name: string, detail: string) => `  ${ok ? 'ok  ' : 'FAIL'} ${name}: ${detail}`;
  return [
    texts.reportHead,
    `program ${about.program}`,
    `browser ${about.userAgent}`,
    `threads ${about.threads}`,
    ...formats.flatMap(({ name, width, height, result: { encoder, checks } }) => [
      texts.reportFormat(
        name,
        width,
        height,
        encoder === null ? 'FAIL' : texts.reportGood(encoder.framesASecond.toFixed(1)),
      ),
      ...checks.map(({ name: check, ok, detail }) => line(ok, texts.checkNames[check], detail)),
    ]),
    'browser',
    ...facts.map(({ name, ok, detail }) => line(ok, name, detail)),
    '',
  ].join('\n');
}
