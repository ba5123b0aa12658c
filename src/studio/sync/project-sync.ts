import { messageOf } from '../../errors.ts';
import type { Project } from '../document/project.ts';
import type { Remote } from '../keeping/kept-project.ts';

/** The service's revision of a project. */
export interface Theirs {
  readonly project: Project;
  readonly etag: string;
  readonly savedAtMs: number;
  /** Digest of the stored document. */
  readonly digest: string;
}

export type SyncState =
  | { readonly step: 'kept' }
  /** Changed; sent after `QUIET_MS` without a change. */
  | { readonly step: 'changed' }
  | { readonly step: 'sending' }
  /** Retried after a pause, or by the user. */
  | { readonly step: 'failed'; readonly message: string }
  /** Changed here and on another device. Nothing is sent until the user chooses one. */
  | { readonly step: 'conflict'; readonly theirs: Theirs }
  /** Deleted on the service. */
  | { readonly step: 'gone' };

/** The stored revision is not the one that the save was based on. */
export class StaleRevision extends Error {}

/** The side effects of the sync. */
export interface SyncPort {
  /** Sends media that the service lacks, then the document. @throws StaleRevision; Error with a message for the user. */
  save(project: Project, etag: string | null, signal: AbortSignal): Promise<string>;
  /** The ETag of the stored revision; null if there is none. */
  tag(signal: AbortSignal): Promise<string | null>;
  /** null if there is none. */
  read(signal: AbortSignal): Promise<Theirs | null>;
  /** Equal for equal documents. */
  digest(project: Project): Promise<string>;
  /** Stores what is known of the service's revision across reloads. */
  remember(remote: Remote): Promise<void>;
  /** Replaces the local project with the service's revision. */
  show(project: Project): void;
  /** Sets a timer. @returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The project is sent after this time without a change. */
export const QUIET_MS = 2000;
const RETRY_MS = [5000, 15_000, 60_000, 300_000];

/**
 * Keeps one project on the service. Sends it after a quiet moment, and only over the revision it is based on. If another device has
 * saved and nothing was changed here, it takes that revision; otherwise it reports a conflict. (C76)
 */
export class ProjectSync {
  readonly #port: SyncPort;
  readonly #onState: (state: SyncState) => void;
  readonly #closing = new AbortController();
  #remote: Remote;
  #project: Project;
  #state: SyncState = { step: 'kept' };
  #cancelTimer = () => {};
  #isBusy = false;
  #isAskedAgain = false;
  #failures = 0;

  constructor(remote: Remote, project: Project, port: SyncPort, onState: (state: SyncState) => void) {
    this.#remote = remote;
    this.#project = project;
    this.#port = port;
    this.#onState = onState;
  }

  /** Reports the current local project. */
  changed(project: Project): void {
    if (project === this.#project) return;
    this.#project = project;
    if (this.#waitsForChoice()) return;
    if (!this.#isBusy) this.#show({ step: 'changed' });
    this.#failures = 0;
    this.#turnAfter(QUIET_MS);
  }

  /** Compares with the service and sends changes: when the project is opened, when the user returns to the page, and on demand. */
  async look(): Promise<void> {
    if (!this.#waitsForChoice()) await this.#turn(true);
  }

  /** Overwrites the service's revision. */
  async keepMine(): Promise<void> {
    if (this.#state.step === 'conflict') await this.#know({ ...this.#remote, etag: this.#state.theirs.etag });
    else if (this.#state.step === 'gone') await this.#know({ ...this.#remote, etag: null, clean: null });
    else return;
    this.#show({ step: 'changed' });
    await this.#turn(false);
  }

  /** Takes the service's revision. */
  async keepTheirs(): Promise<void> {
    if (this.#state.step === 'conflict') await this.#takeOver(this.#state.theirs);
  }

  close(): void {
    this.#cancelTimer();
    this.#closing.abort();
  }

  #waitsForChoice(): boolean {
    return this.#state.step === 'conflict' || this.#state.step === 'gone';
  }

  #turnAfter(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#port.after(ms, () => void this.#turn(false));
  }

  /** One exchange at a time: a second save with the same ETag would conflict with the first. */
  async #turn(asks: boolean): Promise<void> {
    this.#cancelTimer();
    if (this.#isBusy) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isBusy = true;
    try {
      let isToAsk = asks;
      do {
        this.#isAskedAgain = false;
        await this.#exchange(isToAsk);
        isToAsk = false;
      } while (this.#isAskedAgain && !this.#waitsForChoice());
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#show({ step: 'failed', message: messageOf(error) });
      this.#turnAfter(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)]!);
      this.#failures += 1;
    } finally {
      this.#isBusy = false;
    }
  }

  async #exchange(asks: boolean): Promise<void> {
    const { signal } = this.#closing;
    const project = this.#project;
    const digest = await this.#port.digest(project);
    if (asks && this.#remote.etag !== null) {
      const tag = await this.#port.tag(signal);
      if (tag !== this.#remote.etag) return this.#compare();
    }
    if (digest === this.#remote.clean) return this.#kept(project);
    this.#show({ step: 'sending' });
    // If the response never arrives, this tells our own revision from that of another device.
    await this.#know({ ...this.#remote, sent: digest });
    try {
      const etag = await this.#port.save(project, this.#remote.etag, signal);
      await this.#know({ etag, clean: digest, sent: null });
      this.#kept(project);
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
      await this.#compare();
    }
  }

  /** The stored revision is not the known one. */
  async #compare(): Promise<void> {
    const theirs = await this.#port.read(this.#closing.signal);
    if (theirs === null) return this.#show({ step: 'gone' });
    const { etag } = theirs;
    const digest = await this.#port.digest(this.#project);
    if (theirs.digest === this.#remote.sent || theirs.digest === digest) {
      await this.#know({ etag, clean: theirs.digest, sent: null });
      this.#isAskedAgain = true;
    } else if (digest === this.#remote.clean) await this.#takeOver(theirs);
    else this.#show({ step: 'conflict', theirs });
  }

  async #takeOver({ project, etag }: Theirs): Promise<void> {
    await this.#know({ etag, clean: await this.#port.digest(project), sent: null });
    this.#project = project;
    this.#port.show(project);
    this.#show({ step: 'kept' });
  }

  #kept(project: Project): void {
    this.#failures = 0;
    this.#show({ step: project === this.#project ? 'kept' : 'changed' });
  }

  async #know(known: Omit<Remote, 'id'>): Promise<void> {
    this.#remote = { ...this.#remote, ...known };
    await this.#port.remember(this.#remote);
  }

  #show(state: SyncState): void {
    if (this.#closing.signal.aborted) return;
    this.#state = state;
    this.#onState(state);
  }
}
