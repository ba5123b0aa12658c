import { ExportError, messageOf } from '../../errors.ts';
import {
  CAPTION_MODEL_NAMES,
  CAPTION_MODELS,
  type CaptionModelName,
  type ModelPackage,
} from '../../speech/models/caption-models.ts';
import type { installModel } from '../../speech/models/install-model.ts';
import { type InstalledModels, installedModel } from '../../speech/models/installed-models.ts';
import type { ModelView } from '../api/speech-api.ts';
import type { Log } from '../log.ts';
import { recordedError } from '../run/end-export.ts';

interface InstallModelsPorts {
  readonly modelsDir: string;
  readonly models: Pick<InstalledModels, 'requireAny'>;
  /** Whether the first request for captions installs a model. */
  readonly installsAtFirstUse: boolean;
  readonly install: typeof installModel;
  readonly log: Log;
  readonly now: () => number;
}

/** An installation that runs or has failed. */
interface Installation {
  readonly progress: number;
  readonly failure: (NonNullable<ModelView['failure']> & { readonly atMs: number }) | null;
}

/** After a failure, the next request for captions tries again only after this time. */
const RETRY_MS = 60_000;

/** Installs speech models while the service runs. (C77) */
export class InstallModels implements Disposable {
  readonly #ports: InstallModelsPorts;
  readonly #installations = new Map<CaptionModelName, Installation>();
  readonly #closed = new AbortController();

  constructor(ports: InstallModelsPorts) {
    this.#ports = ports;
  }

  /** Best first. */
  list(): readonly ModelView[] {
    return CAPTION_MODEL_NAMES.map((name) => this.#view(name));
  }

  /** Starts to install a model, unless it is installed or being installed. */
  install(name: CaptionModelName): ModelView {
    const { state } = this.#view(name);
    if (state !== 'installed' && state !== 'installing') void this.#run(name);
    return this.#view(name);
  }

  /** @throws `captions.no_model`, `captions.installing`, `captions.install_failed` */
  requireModel(): void {
    const { models, installsAtFirstUse, now } = this.#ports;
    try {
      models.requireAny();
    } catch (missing) {
      const running = this.list().find(({ state }) => state === 'installing');
      if (running === undefined && !installsAtFirstUse) throw missing;
      const [best] = CAPTION_MODEL_NAMES;
      const failure = this.#installations.get(best)?.failure ?? null;
      if (running === undefined && failure !== null && now() < failure.atMs + RETRY_MS) {
        throw new ExportError('unavailable', failure.code, failure.message);
      }
      const { name } = running ?? this.install(best);
      const message = `The speech model ${name} is being installed. Try again in a minute.`;
      throw new ExportError('unavailable', 'captions.installing', message);
    }
  }

  [Symbol.dispose](): void {
    this.#closed.abort();
  }

  #view(name: CaptionModelName): ModelView {
    const { packages } = CAPTION_MODELS[name];
    const isInstalled = installedModel(this.#ports.modelsDir, name) !== null;
    const { progress, failure } = this.#installations.get(name) ?? { progress: null, failure: null };
    return {
      name,
      state: isInstalled ? 'installed' : failure !== null ? 'failed' : progress !== null ? 'installing' : 'available',
      packages: packages.map((packed) => `${packed.name}@${packed.version}`),
      bytes: bytesOf(name),
      progress: isInstalled ? 1 : (progress ?? 0),
      failure: isInstalled ? null : failure,
    };
  }

  async #run(name: CaptionModelName): Promise<void> {
    const { modelsDir, install, log, now } = this.#ports;
    const { signal } = this.#closed;
    let fetched = 0;
    this.#installations.set(name, { progress: 0, failure: null });
    log('info', 'speech model being installed', { name });
    try {
      await install(modelsDir, name, {
        signal,
        onPackage: ({ bytes }) => {
          this.#installations.set(name, { progress: fetched / bytesOf(name), failure: null });
          fetched += bytes;
        },
      });
      this.#installations.delete(name);
      log('info', 'speech model installed', { name });
    } catch (error) {
      if (signal.aborted) return;
      log('error', 'speech model not installed', { name, error });
      this.#installations.set(name, { progress: 0, failure: { ...failureOf(error), atMs: now() } });
    }
  }
}

function failureOf(error: unknown): NonNullable<ModelView['failure']> {
  if (error instanceof ExportError) return recordedError(error);
  return { kind: 'unavailable', code: 'captions.install_failed', message: messageOf(error), issues: [] };
}

function bytesOf(name: CaptionModelName): number {
  const packages: readonly ModelPackage[] = CAPTION_MODELS[name].packages;
  return packages.reduce((sum, { bytes }) => sum + bytes, 0);
}
