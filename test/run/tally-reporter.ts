import type { TestEvent } from 'node:test/reporters';

/** What the runner keeps of a test. */
export interface TestLine {
  readonly file: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, where that was said. */
  readonly reason: string;
  /** Excludes its subtests. */
  readonly ms: number;
}

/** A reporter beside the one people read: every test as a line of JSON. */
export default async function* tallyReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  /** The time of the tests of a level whose parent is still to come, by file and level. */
  const taken = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { file = '', name, skip, details, nesting } = data;
    const [level, inside] = [`${file} ${nesting}`, `${file} ${nesting + 1}`];
    const ms = details.duration_ms - (taken.get(inside) ?? 0);
    taken.delete(inside);
    taken.set(level, (taken.get(level) ?? 0) + details.duration_ms);
    const skipped = skip !== undefined && skip !== false;
    // A suite has the result of its tests, unless none of them ran. A file that fails is reported as a test of its
    // name.
    if (details.type === 'suite' && !skipped) continue;
    const outcome = skipped ? 'skipped' : type === 'test:fail' ? 'failed' : 'passed';
    const reason = typeof skip === 'string' ? skip : '';
    yield `${JSON.stringify({ file, name, outcome, reason, ms } satisfies TestLine)}\n`;
  }
}
