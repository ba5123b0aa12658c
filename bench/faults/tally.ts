import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** `invalid`: the moment for the fault did not come, so the round proves nothing. */
export type Outcome = 'valid' | 'invalid' | 'failed';

/** One line of a tally. */
export interface Round {
  readonly at: string;
  readonly seed: number;
  /** Where files were. */
  readonly on: 's3' | 'folder';
  readonly fault: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Exports that were accounted for, and those of them whose creation got no response. */
  readonly exports: number;
  readonly unacknowledged: number;
  /** Files that were left to the sweep. */
  readonly orphans: number;
  /** Videos that were served during the round, all of them complete. */
  readonly served: number;
  /** The error. */
  readonly error?: string;
}

/** Rounds of this call and, if they are kept in a file, of earlier calls. Interrupted rounds do not count. */
export class Tally {
  readonly rounds: Round[] = [];
  readonly #file: string | undefined;

  /** @param file of JSON lines, to append to; it may not exist yet */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    const lines = readFileSync(file, 'utf8').split('\n');
    this.rounds.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Round));
  }

  add(round: Round): void {
    this.rounds.push(round);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(round)}\n`);
  }

  count(outcome: Outcome, fault?: string): number {
    return this.rounds.filter((round) => round.outcome === outcome && (fault ?? round.fault) === round.fault).length;
  }

  /** A line for each fault, and one for all. */
  summary(): string {
    const faults = [...new Set(this.rounds.map(({ fault }) => fault))].sort();
    const counts = (fault?: string) =>
      (['valid', 'invalid', 'failed'] as const).map((outcome) => `${this.count(outcome, fault)}`.padStart(7)).join(' ');
    const total = (of: 'exports' | 'unacknowledged' | 'orphans' | 'served') =>
      this.rounds.reduce((sum, round) => sum + round[of], 0);
    return [
      '  valid invalid  failed',
      ...faults.map((fault) => `${counts(fault)}  ${fault}`),
      `${counts()}  all: ${total('exports')} exports, all whole (${total('unacknowledged')} of them never acknowledged); ` +
        `${total('served')} videos served meanwhile, all whole; ${total('orphans')} files were left to the sweep`,
    ].join('\n');
  }
}
