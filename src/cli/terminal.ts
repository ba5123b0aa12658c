import type { Issue } from '../errors.ts';

/** Where a command writes. Commands return their exit code and never touch `process`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

/** For commands that take their time. */
export interface WorkTerminal extends Terminal {
  /** How far a long command has come: rewritten in place for a person, a line now and then for a log. */
  readonly status: StatusLine;
  /** Aborts when the person at the terminal has had enough (Ctrl-C) or the machine wants us to stop. */
  readonly signal: AbortSignal;
}

/** Something tolerated, for a person. */
export function warningText({ path, code, message }: Issue): string {
  return `warning: ${path || '(request)'} ${code}: ${message}`;
}

/** One line that changes. */
export interface StatusLine {
  show(text: string): void;
  /** Leaves the last text standing, or takes it away where it was rewritten in place. */
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
