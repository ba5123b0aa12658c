import { type ErrorKind, ExportError, type Issue } from '../errors.ts';
import { nearestName } from './json/nearest-name.ts';
import { shownNames, shownText } from './json/shown-value.ts';

/** Enough to fix any honest request at once, and a bound on the response to a hostile one. */
const MAX_REPORTED = 500;

/** The most comparisons of letters for all hints together: a hostile request may have thousands of unknown names. */
const MAX_COMPARED = 2_000_000;

/** The comparisons that hints of a request have cost so far. */
interface HintBudget {
  compared: number;
}

/** Collects all errors and warnings of a request, so that they are returned at once. (C5) */
export class IssueList {
  readonly #errors = new Reported();
  readonly #warnings = new Reported();
  readonly #kinds = new Set<ErrorKind>();
  readonly #hints: HintBudget;

  /** @param hints shared by all lists of a request with several. */
  constructor(hints: HintBudget = { compared: 0 }) {
    this.#hints = hints;
  }

  error(path: string, code: string, message: string, kind: ErrorKind = 'invalid'): void {
    this.#kinds.add(kind);
    this.#errors.add({ path, code, message });
  }

  /** Runs `work` and adds the issues of the error that it throws. */
  collect(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.absorb(error);
    }
  }

  /**
   * Adds the issues of an error. A failure without a path in the request says nothing about the request, and is
   * rethrown.
   */
  absorb(error: unknown): void {
    if (!(error instanceof ExportError) || error.issues.length === 0) throw error;
    for (const { path, code, message } of error.issues) this.error(path, code, message, error.kind);
    for (const { path, code, message } of error.warnings) this.warn(path, code, message);
  }

  warn(path: string, code: string, message: string): void {
    this.#warnings.add({ path, code, message });
  }

  /** Counts warnings that are not reported one by one. */
  warnUnsaid(count: number): void {
    this.#warnings.count += count;
  }

  /** The end of a message if one of `names` is a likely correction: ` Did you mean "quality"?` */
  hint(given: string, names: Iterable<string>): string {
    const known = [...names];
    this.#hints.compared += given.length * known.reduce((letters, name) => letters + name.length, 0);
    // Any name of one or two letters is one typing error away from another.
    if (given.length <= 2 || this.#hints.compared > MAX_COMPARED) return '';
    const near = nearestName(given, known);
    return near === null ? '' : ` Did you mean ${shownText(near)}?`;
  }

  /** The same, or else the first few of the names there are. */
  hintOrNames(given: string, names: readonly string[]): string {
    return this.hint(given, names) || ` There ${names.length === 1 ? 'is' : 'are'} ${shownNames(names)}.`;
  }

  /** How many issues there are so far, errors and warnings. */
  get count(): number {
    return this.#errors.count + this.#warnings.count;
  }

  get failed(): boolean {
    return this.#errors.count > 0;
  }

  get errors(): readonly Issue[] {
    return this.#errors.list();
  }

  get warnings(): readonly Issue[] {
    return this.#warnings.list();
  }

  /**
   * @param warned earlier warnings.
   * @throws ExportError with every error so far, if there is any.
   */
  throwIfFailed(warned: readonly Issue[] = []): void {
    const issues = this.#errors.list();
    const first = issues[0];
    if (first === undefined) return;
    const kind = this.#kind();
    const all = { issues, warnings: [...warned, ...this.warnings] };
    if (issues.length === 1) throw new ExportError(kind, first.code, first.message, { path: first.path, ...all });
    throw new ExportError(kind, 'request.invalid', `The request has ${this.#errors.count} errors.`, all);
  }

  /** The common kind of all errors; otherwise bad grammar outranks bad content. (C33) */
  #kind(): ErrorKind {
    const [only, ...others] = this.#kinds;
    if (only !== undefined && others.length === 0) return only;
    return this.#kinds.has('malformed') ? 'malformed' : 'invalid';
  }
}

class Reported {
  readonly #issues: Issue[] = [];
  count = 0;

  add(issue: Issue): void {
    this.count += 1;
    if (this.#issues.length < MAX_REPORTED) this.#issues.push(issue);
  }

  list(): readonly Issue[] {
    const unsaid = this.count - this.#issues.length;
    if (unsaid === 0) return this.#issues;
    return [...this.#issues, { path: '', code: 'request.more_issues', message: `And ${unsaid} more of this kind.` }];
  }
}
