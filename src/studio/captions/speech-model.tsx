import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type CaptionModel, TiercutError } from '../../../packages/client/src/client.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { announce } from '../kit/messages.ts';
import { megabytes } from '../kit/shown-values.ts';
import { quietService, service } from '../session/service.ts';
import { hasService } from '../session/service-state.ts';
import * as texts from '../texts/en/captions.ts';

const POLL_MS = 2000;

/** The languages that the service transcribes, as ISO 639 codes; empty without a speech model. */
export const captionLanguages = signal(
  studioConfig.service?.captionLanguages ?? (studioConfig.speech === null ? [] : ['en']),
);

/** The model to install, in its last known state; null until the service has named it. */
const offered = signal<CaptionModel | null>(null);
const fault = signal<string | null>(null);

/** Reads the languages again, after a model was installed. */
export async function readLanguages(): Promise<void> {
  captionLanguages.value = await quietService.captionLanguages().catch(() => captionLanguages.value);
}

export function Guide() {
  return (
    <a href={studioConfig.docs.captions} target="_blank" rel="noopener">
      {texts.howTo}
    </a>
  );
}

/** In place of the start button, if the service has no speech model: installs one, or says who can. (C77) */
export function SpeechModelNeeded() {
  const isOffered = studioConfig.service?.modelInstall === 'offered';
  useEffect(() => {
    if (isOffered) void follow();
    else void readLanguages();
  }, []);
  const { value: model } = offered;
  if (!isOffered) {
    return (
      <p class="field-note iswarn">
        <Icon name="warn" />
        <span>
          {hasService ? texts.noModel : texts.noModelHere} <Guide />
        </span>
      </p>
    );
  }
  if (model?.state === 'installing') {
    return (
      <>
        <p role="status">{texts.installing(megabytes(model.bytes))}</p>
        <progress aria-label={texts.installing(megabytes(model.bytes))} max={1} value={model.progress || undefined} />
      </>
    );
  }
  return (
    <>
      <p class="q">{texts.modelWanted}</p>
      {model !== null && (
        <button type="button" class="bt wide prim" onClick={() => void install(model.name)}>
          <Icon name="download" />
          {texts.installModel(megabytes(model.bytes))}
        </button>
      )}
      {model !== null && (
        <p class="field-note q">
          <span>
            {texts.modelSource(model.packages)} <Guide />
          </span>
        </p>
      )}
      <div role="alert">
        {fault.value !== null && (
          <p class="field-note iswarn">
            <Icon name="warn" />
            <span>{fault.value}</span>
          </p>
        )}
      </div>
    </>
  );
}

async function install(name: CaptionModel['name']): Promise<void> {
  fault.value = null;
  try {
    offered.value = await service.installCaptionModel(name);
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    fault.value = error.message;
    return;
  }
  await follow();
}

let following: Promise<void> | null = null;

/** Follows the installation of the best model until it ends, also one that another page has started. */
function follow(): Promise<void> {
  following ??= followOnce().finally(() => {
    following = null;
  });
  return following;
}

async function followOnce(): Promise<void> {
  for (;;) {
    const models = await quietService.captionModels().catch(() => null);
    const model = models?.find(({ state }) => state === 'installing') ?? models?.[0];
    if (model !== undefined) {
      offered.value = model;
      fault.value = model.error?.detail ?? null;
      if (models!.some(({ state }) => state === 'installed')) {
        await readLanguages();
        announce(texts.modelInstalled);
        return;
      }
      if (model.state !== 'installing') return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
