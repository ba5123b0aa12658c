import { join } from 'node:path';
import { z } from 'zod';
import type { Issue } from '../../../src/errors.ts';
import type { ChildProgram } from '../../../src/sandbox/host/child-program.ts';

interface File {
  readonly path: string;
}

export interface TestOperations {
  readonly echo: { params: string; result: string };
  readonly environment: { params: null; result: Record<string, string> };
  readonly oom_score: { params: null; result: number };
  /** What the child's descriptors lead to. */
  readonly open_files: { params: null; result: string[] };
  readonly read: { params: string; result: number };
  readonly write: { params: File & { bytes: number }; result: null };
  /** Writes a file and keeps a way to it. */
  readonly write_and_keep: { params: File & { by: 'descriptor' | 'mapping' | 'reading' | 'nothing' }; result: null };
  /** Writes `changed` over it by that way, and says how that went. */
  readonly change_kept: { params: null; result: string };
  /** Writes a megabyte at a time, to files with names or without, and never ends. */
  readonly fill: { params: { folder: string; removed: boolean }; result: null };
  readonly start_threads: { params: { count: number }; result: null };
  readonly write_and_hang: { params: File; result: null };
  readonly write_and_stop: { params: File; result: null };
  readonly spin: { params: null; result: null };
  readonly step: { params: { steps: number; everyMs: number; busy?: boolean }; result: null };
  readonly make_files: { params: { folder: string; count: number }; result: null };
  readonly eat: { params: { bytes: number }; result: number };
  readonly reserve: { params: { bytes: number }; result: number };
  readonly signal_self: { params: NodeJS.Signals; result: null };
  readonly exit: { params: number; result: null };
  readonly fail: { params: null; result: null };
  readonly break: { params: null; result: null };
  readonly warn: { params: { issue: Issue; times: number }; result: null };
  readonly print: { params: string; result: null };
  /** Makes a system call and says 0 or the errno. */
  readonly system_call: { params: { number: number; args: number[] }; result: number };
  readonly read_in_thread: { params: string; result: string };
  readonly late_progress: { params: null; result: null };
}

const nothing = { result: z.null() };

export const TEST_PROGRAM: ChildProgram<TestOperations> = {
  entry: join(import.meta.dirname, 'test-child.ts'),
  operations: {
    echo: { result: z.string() },
    environment: { result: z.record(z.string(), z.string()) },
    oom_score: { result: z.number() },
    open_files: { result: z.array(z.string()) },
    read: { result: z.number() },
    write: { result: z.null(), outputs: ({ path }) => [path] },
    write_and_keep: { result: z.null(), outputs: ({ path }) => [path] },
    change_kept: { result: z.string() },
    fill: nothing,
    start_threads: nothing,
    write_and_hang: { result: z.null(), outputs: ({ path }) => [path] },
    write_and_stop: { result: z.null(), outputs: ({ path }) => [path] },
    spin: nothing,
    step: nothing,
    make_files: nothing,
    eat: { result: z.number() },
    reserve: { result: z.number() },
    signal_self: nothing,
    exit: nothing,
    fail: nothing,
    break: nothing,
    warn: nothing,
    print: nothing,
    system_call: { result: z.number() },
    read_in_thread: { result: z.string() },
    late_progress: nothing,
  },
};
