import { Icon } from '../kit/icon.tsx';
import { formatName, megabytes } from '../kit/shown-values.ts';
import * as texts from '../texts/en/export.ts';
import * as hereTexts from '../texts/en/export-here.ts';
import * as page from '../texts/en/page.ts';
import { choosePlace, EXPORT_PLACES } from './export-place.ts';
import { type HereVideo, isOpen } from './export-progress.ts';
import { noteDownload } from './made-here.ts';
import { PresetIcon } from './preset-icon.tsx';
import { startExport } from './run-export.ts';

/** Reasons that are listed besides the first. */
const MOST_FAULTS = 8;

/** The state of an export in this browser, as text. */
export function hereTitle(videos: readonly HereVideo[]): string {
  if (videos.some(isOpen)) return hereTexts.renderingHere;
  if (videos.some(({ state }) => state === 'failed')) return texts.failed;
  return videos.some(({ state }) => state === 'stopped') ? texts.stopped : hereTexts.readyHere;
}

/** What to do with the files; empty if there is none. */
export function hereSubtitle(videos: readonly HereVideo[]): string {
  return videos.some(({ file }) => file !== null) ? hereTexts.downloadHere : '';
}

/** A line for each format that this browser renders: its progress and its download. */
export function HereVideos({ videos }: { readonly videos: readonly HereVideo[] }) {
  // Formats fail for the same reasons mostly.
  const [fault, ...others] = new Set(videos.flatMap(({ faults }) => faults));
  return (
    <>
      {fault !== undefined && (
        <div class="note isbad" role="alert">
          <Icon name="error" />
          <span>
            <b>{fault}</b>
            {others.slice(0, MOST_FAULTS).map((other) => (
              <span key={other} class="line">
                {other}
              </span>
            ))}
            {others.length > MOST_FAULTS && <span class="line">{texts.andMore(others.length - MOST_FAULTS)}</span>}
          </span>
          {EXPORT_PLACES.includes('service') && (
            <button
              type="button"
              class="bt"
              onClick={() => {
                choosePlace('service');
                void startExport();
              }}
            >
              {hereTexts.instead}
            </button>
          )}
        </div>
      )}
      <ul class="outs">
        {videos.map((video) => (
          <HereRow key={`${video.preset} ${video.short?.number}`} video={video} />
        ))}
      </ul>
    </>
  );
}

function HereRow({ video }: { readonly video: HereVideo }) {
  const { preset, short, width, height, state, share, file } = video;
  const percent = Math.floor(share * 100);
  const name = short === null ? formatName(preset) : texts.short(short.number);
  const about = short === null ? hereTexts.sizeInPixels(width, height) : short.title;
  return (
    <li class={`or ${state === 'completed' ? 'done' : ''}`} data-preset={preset} data-short={short?.number}>
      <PresetIcon {...video} />
      <div>
        <div class="oh">
          <b>{name}</b>
          <span class="q">{about}</span>
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
        <a class="bt prim" href={file.url} download={file.name} onClick={() => noteDownload(file.url)}>
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
