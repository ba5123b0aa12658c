import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../../errors.ts';
import { NICENESS } from '../../platform/stand-back.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import { type FoundSpeech, pausesBetween } from '../../speech/find-pauses.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { MEDIA_REFS } from '../../timeline/media-references.ts';
import { PAUSES_MEDIA, readWantedPauses } from '../../timeline/wanted-pauses.ts';
import type { Pauses, PausesRequest } from '../exports-api.ts';
import type { Gate } from '../gate.ts';
import type { FetchMedia } from '../media/fetch-media.ts';
import type { RequestFile, RequestFiles } from '../media/request-files.ts';

interface FindPausesPorts {
  readonly files: Pick<RequestFiles, 'gather'>;
  readonly fetching: Pick<FetchMedia, 'fetchFrom'>;
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly host: Pick<RenderHost, 'open' | 'mediaLimits'>;
  /** How many files are listened to at once, by tenant. */
  readonly turns: Gate;
}

/** Files whose speech is remembered: who changes the rules asks again for the same one. */
const MOST_REMEMBERED = 100;
/** Listening takes a fraction of a file's length; the child's time goes by a video of this one. */
const COUNTS_FOR_SECONDS = 600;

/** Finds the pauses in a file. (C78) */
export class FindPauses {
  readonly #ports: FindPausesPorts;
  /** By tenant and content: how long an answer takes must not show what others have. */
  readonly #remembered = new Map<string, FoundSpeech>();

  constructor(ports: FindPausesPorts) {
    this.#ports = ports;
  }

  /** @throws ExportError with all that is wrong with the request; `pauses.no_sound`; what opening the file does. */
  find(request: PausesRequest, signal: AbortSignal): Promise<Pauses> {
    return unlessAborted(this.#find(request, signal), signal);
  }

  async #find({ tenant, texts, uploads }: PausesRequest, signal: AbortSignal): Promise<Pauses> {
    const sent = uploads.get(PAUSES_MEDIA);
    const wanted = readWantedPauses(texts, sent !== undefined);
    const sha256 = wanted.mediaUrl === null ? wanted.mediaRef : await this.#fetch(tenant, wanted.mediaUrl, signal);
    const references = sha256 === null ? {} : { [PAUSES_MEDIA]: sha256 };
    const faults = new IssueList();
    const named = new Map([[MEDIA_REFS, JSON.stringify(references)]]);
    const received = sent === undefined ? new Map() : new Map([[PAUSES_MEDIA, sent]]);
    await using gathered = await this.#ports.files.gather(tenant, named, received, faults);
    const path = sent !== undefined ? '/media' : wanted.mediaUrl === null ? '/media_ref' : '/media_url';
    const file = gathered.files.get(PAUSES_MEDIA);
    if (file === undefined) {
      const message = 'There is no such content, or there is no longer.';
      throw new ExportError('invalid', 'reference.unknown', message, { path });
    }
    const { duration, speech } = await this.#speechOf(tenant, file, signal).catch((error: unknown) => {
      throw error instanceof ExportError && FILE_FAULTS.has(error.kind) ? at(path, error) : error;
    });
    return { duration, speech, pauses: pausesBetween(speech, duration, wanted) };
  }

  async #fetch(tenant: string, text: string, signal: AbortSignal): Promise<string> {
    return (await this.#ports.fetching.fetchFrom(tenant, { text, path: '/media_url' }, signal)).sha256;
  }

  async #speechOf(tenant: string, file: RequestFile, signal: AbortSignal): Promise<FoundSpeech> {
    const key = `${tenant} ${file.sha256}`;
    const known = this.#remembered.get(key);
    const found = known ?? (await this.#ports.turns.run(tenant, signal, () => this.#listen(file, signal)));
    this.#remembered.delete(key);
    this.#remembered.set(key, found);
    if (this.#remembered.size > MOST_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value!);
    return found;
  }

  async #listen({ path }: RequestFile, signal: AbortSignal): Promise<FoundSpeech> {
    const { local, host } = this.#ports;
    await using folder = await local.scratch();
    const workDir = join(folder.path, 'made');
    await mkdir(workDir);
    const task = { inputs: [path], workDir, duration: COUNTS_FOR_SECONDS, niceness: NICENESS.render, signal };
    await using child = await host.open(task);
    return await child.request('find_speech', { file: path, limits: host.mediaLimits }, { signal });
  }
}

const FILE_FAULTS: ReadonlySet<string> = new Set<ExportError['kind']>(['invalid', 'unsupported', 'too_large']);

function at(path: string, cause: ExportError): ExportError {
  return new ExportError(cause.kind, cause.code, cause.message, { path, cause });
}
