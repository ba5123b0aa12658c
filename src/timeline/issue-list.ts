import { type ErrorKind, ExportError, type Issue } from '../errors.ts';

/** Enough to mend any honest request in one go; a hostile one gets no megabyte of a reply. */
const MOST_REPORTED = 500;

/** Gathers everything that is wrong, and everything that is tolerated, before anyone is told. (C5) */
export class IssueList {
  readonly #errors = new Reported();
  readonly #warnings = new Reported();
  readonly #kinds = new Set<ErrorKind>();

  error(path: string, code: string, message: string, kind: ErrorKind = 'invalid'): void {
    this.#kinds.add(kind);
    this.#errors.add({ path, code, message });
  }

  warn(path: string, code: string, message: string): void {
    this.#warnings.add({ path, code, message });
  }

  get failed(): boolean {
    return this.#errors.count > 0;
  }

  get warnings(): readonly Issue[] {
    return this.#warnings.list();
  }

  /** @throws ExportError with every error so far, if there is any. */
  throwIfFailed(): void {
    const issues = this.#errors.list();
    const first = issues[0];
    if (first === undefined) return;
    const kind = this.#kind();
    if (issues.length === 1) throw new ExportError(kind, first.code, first.message, { path: first.path, issues });
    throw new ExportError(kind, 'request.invalid', `The request has ${this.#errors.count} errors.`, { issues });
  }

  /** What all errors have in common; failing that, bad grammar outranks bad content. (C33) */
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
    if (this.#issues.length < MOST_REPORTED) this.#issues.push(issue);
  }

  list(): readonly Issue[] {
    const unsaid = this.count - this.#issues.length;
    if (unsaid === 0) return this.#issues;
    return [...this.#issues, { path: '', code: 'request.more_issues', message: `And ${unsaid} more of this kind.` }];
  }
}
