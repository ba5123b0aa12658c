import type { TestEvent } from 'node:test/reporters';

/** What the runner keeps of a test. */
export interface TestLine {
  readonly file: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, where that was said. */
  readonly reason: string;
  readonly ms: number;
}

/** A reporter beside the one people read: every test as a line of JSON. */
export default async function* tallyReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { file = '', name, skip, details } = data;
    const skipped = skip !== undefined && skip !== false;
    // A suite is what its tests are, unless none of them was run. A file that fails as a whole is told as a test of its name.
    if (details.type === 'suite' && !skipped) continue;
    const outcome = skipped ? 'skipped' : type === 'test:fail' ? 'failed' : 'passed';
    const reason = typeof skip === 'string' ? skip : '';
    yield `${JSON.stringify({ file, name, outcome, reason, ms: details.duration_ms } satisfies TestLine)}\n`;
  }
}
