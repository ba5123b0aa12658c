import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NICENESS } from '../../platform/process-priority.ts';
import { unlessAborted } from '../../platform/signals.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import { type FoundSpeech, pausesBetween } from '../../speech/find-pauses.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import { MEDIA_PART, readWantedPauses } from '../../timeline/wanted-fields.ts';
import type { Pauses, PausesRequest } from '../api/speech-api.ts';
import { plainTexts } from '../api/submission.ts';
import type { Gate } from '../gate.ts';
import { type GatherOnePorts, gatherOne, withErrorPath } from '../media/gather-one.ts';
import type { RequestFile } from '../media/request-files.ts';

interface RequestPausesPorts extends GatherOnePorts {
  readonly local: Pick<LocalFiles, 'scratch'>;
  readonly host: Pick<RenderHost, 'open' | 'mediaLimits'>;
  /** Limits how many files are searched at once, by tenant. */
  readonly turns: Gate;
}

/** How many results are kept: a client that changes its rules requests the same file again. */
const MAX_REMEMBERED = 100;
/** Finding speech takes a fraction of the file's length; the child gets the time budget of a video of this length. */
const COUNTS_FOR_SECONDS = 600;

/** Finds the pauses in a file. (C78) */
export class RequestPauses {
  readonly #ports: RequestPausesPorts;
  /** By tenant and content: the response time must not show what other tenants have. */
  readonly #remembered = new Map<string, FoundSpeech>();

  constructor(ports: RequestPausesPorts) {
    this.#ports = ports;
  }

  /** @throws ExportError with all errors of the request; `pauses.no_sound`; the errors of opening the file. */
  find(request: PausesRequest, signal: AbortSignal): Promise<Pauses> {
    return unlessAborted(this.#find(request, signal), signal);
  }

  async #find({ tenant, texts, uploads }: PausesRequest, signal: AbortSignal): Promise<Pauses> {
    const sent = uploads.get(MEDIA_PART);
    const wanted = readWantedPauses(plainTexts(texts), sent !== undefined);
    await using media = await gatherOne({ tenant, sent, wanted }, this.#ports, signal);
    const { duration, speech } = await this.#speechOf(tenant, media.file, signal).catch((error: unknown) => {
      throw withErrorPath(media.path, error);
    });
    return { duration, speech, pauses: pausesBetween(speech, duration, wanted) };
  }

  async #speechOf(tenant: string, file: RequestFile, signal: AbortSignal): Promise<FoundSpeech> {
    const key = `${tenant} ${file.sha256}`;
    const known = this.#remembered.get(key);
    const found = known ?? (await this.#ports.turns.run(tenant, signal, () => this.#listen(file, signal)));
    this.#remembered.delete(key);
    this.#remembered.set(key, found);
    if (this.#remembered.size > MAX_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value!);
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
