import { Icon } from '../kit/icon.tsx';
import { formatName, megabytes } from '../kit/shown-values.ts';
import * as texts from '../texts/en/export.ts';
import * as page from '../texts/en/page.ts';
import { EXPORT_PLACES, exportPlace } from './export-choices.ts';
import { type HereVideo, isOpen } from './export-progress.ts';
import { PresetIcon } from './preset-icon.tsx';
import { startExport } from './run-export.ts';

/** The state of an export in this browser, as text. */
export function hereTitle(videos: readonly HereVideo[]): string {
  if (videos.some(isOpen)) return texts.renderingHere;
  if (videos.some(({ state }) => state === 'failed')) return texts.failed;
  return videos.some(({ state }) => state === 'stopped') ? texts.stopped : texts.readyHere;
}

/** What to do with the files; empty if there is none. */
export function hereSubtitle(videos: readonly HereVideo[]): string {
  return videos.some(({ file }) => file !== null) ? texts.downloadHere : '';
}

/** A line for each format that this browser renders: its progress and its download. */
export function HereVideos({ videos }: { readonly videos: readonly HereVideo[] }) {
  const fault = videos.find((video) => video.fault !== null)?.fault ?? null;
  return (
    <>
      {fault !== null && (
        <div class="note isbad" role="alert">
          <Icon name="error" />
          <span>
            <b>{fault}</b>
          </span>
          {EXPORT_PLACES.includes('service') && (
            <button
              type="button"
              class="bt"
              onClick={() => {
                exportPlace.value = 'service';
                void startExport();
              }}
            >
              {texts.instead}
            </button>
          )}
        </div>
      )}
      <ul class="outs">
        {videos.map((video) => (
          <HereRow key={video.preset} video={video} />
        ))}
      </ul>
    </>
  );
}

function HereRow({ video }: { readonly video: HereVideo }) {
  const { preset, width, height, state, share, file } = video;
  const percent = Math.floor(share * 100);
  const name = formatName(preset);
  return (
    <li class={`or ${state === 'completed' ? 'done' : ''}`} data-preset={preset}>
      <PresetIcon {...video} />
      <div>
        <div class="oh">
          <b>{name}</b>
          <span class="q">
            {width} × {height}
          </span>
          <span class="os">{state === 'rendering' ? page.percent(percent) : STATES[state]}</span>
        </div>
        <div
          class="bar"
          role="progressbar"
          aria-label={name}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${percent}%` }} />
        </div>
      </div>
      {file !== null && (
        <a class="bt prim" href={file.url} download={file.name}>
          <Icon name="download" />
          <span>{texts.download}</span> <small>{megabytes(file.bytes)}</small>
        </a>
      )}
    </li>
  );
}

const STATES: Readonly<Record<Exclude<HereVideo['state'], 'rendering'>, string>> = {
  queued: texts.formatWaits,
  completed: texts.formatReady,
  failed: texts.formatFailed,
  stopped: texts.stopped,
};
