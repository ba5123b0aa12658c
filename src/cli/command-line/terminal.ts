import type { ExportError, Issue } from '../../errors.ts';

/** The output of a command. Commands return their exit code and never use `process`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

/** For commands that take long. */
export interface WorkTerminal extends Terminal {
  /** The progress of a long command: rewritten in place on a terminal, a periodic line in a log. */
  readonly status: StatusLine;
  /** Aborts on Ctrl-C or when the system stops the process. */
  readonly signal: AbortSignal;
}

/** A warning for a person. */
export function warningText({ path, code, message }: Issue): string {
  return `warning: ${path || '(request)'} ${code}: ${message}`;
}

/** A line that is rewritten. */
export interface StatusLine {
  show(text: string): void;
  /** Keeps the last text, or removes it if it was rewritten in place. */
  end(): void;
}

const LOG_EVERY_MS = 2_000;

/** The status line of a stream: in place on a terminal, plain lines at most every two seconds elsewhere. */
export function statusLine(stream: { isTTY?: boolean; write(text: string): unknown }, now: () => number): StatusLine {
  if (stream.isTTY) {
    return {
      show: (text) => stream.write(`\r\x1b[K${text}`),
      end: () => stream.write('\r\x1b[K'),
    };
  }
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    show: (text) => {
      if (now() - shownAtMs < LOG_EVERY_MS) return;
      shownAtMs = now();
      stream.write(`${text}\n`);
    },
    end: () => {},
  };
}

/** An expected failure for a person: a line for each error, then the warnings. */
export function errorLines({ code, message, issues, warnings }: ExportError): string[] {
  if (code === 'cli.usage') return [message];
  if (issues.length === 0) return [`${code}: ${message}`];
  const errors = issues.map((issue) => `${issue.path || '(request)'} ${issue.code}: ${issue.message}`);
  return [...errors, ...warnings.map(warningText)];
}
