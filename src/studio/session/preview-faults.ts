import { signal } from '@preact/signals';

/** Something that the preview cannot show: what was thrown, a message, or an event of a worker; and the hash of the file. */
export interface Fault {
  readonly why: unknown;
  readonly hash?: string | undefined;
}

/** The last ten faults. They stay until the person closes them. */
export const faults = signal<readonly Fault[]>([]);

export function reportFault(why: unknown, hash?: string): void {
  faults.value = [...faults.peek().slice(-9), { why, hash }];
}

/** Shows what goes wrong in a worker: an exception, a script that did not load, a message that cannot be read. */
export function showFaults(worker: Worker): void {
  worker.onerror = worker.onmessageerror = (event: Event) => reportFault(event);
}
