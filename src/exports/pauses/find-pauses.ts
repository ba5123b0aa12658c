import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NICENESS } from '../../platform/stand-back.ts';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import { type FoundSpeech, pausesBetween } from '../../speech/find-pauses.ts';
import type { LocalFiles } from '../../store/local-files.ts';
import { MEDIA_PART } from '../../timeline/wanted/wanted-media.ts';
import { readWantedPauses } from '../../timeline/wanted/wanted-pauses.ts';
import type { Pauses, PausesRequest } from '../exports-api.ts';
import type { Gate } from '../gate.ts';
import { blaming, type GatherOnePorts, gatherOne } from '../media/gather-one.ts';
import type { RequestFile } from '../media/request-files.ts';

interface FindPausesPorts extends GatherOnePorts {
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
    const sent = uploads.get(MEDIA_PART);
    const wanted = readWantedPauses(texts, sent !== undefined);
    await using media = await gatherOne({ tenant, sent, wanted }, this.#ports, signal);
    const { duration, speech } = await this.#speechOf(tenant, media.file, signal).catch((error: unknown) => {
      throw blaming(media.path, error);
    });
    return { duration, speech, pauses: pausesBetween(speech, duration, wanted) };
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
