import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Export, Output } from '../../../packages/client/src/client.ts';
import { boardSummary } from '../document/automatic-reveals.ts';
import { studioConfig } from '../kit/assets.ts';
import { Radios } from '../kit/radios.tsx';
import { formatName } from '../kit/shown-values.ts';
import { exported } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import * as playerTexts from '../texts/en/export-player.ts';
import * as page from '../texts/en/page.ts';
import { notRanked } from './before-export.tsx';
import { isOpen } from './export-progress.ts';
import { stateWords } from './export-words.ts';

/** The API of `watch.js` of the service's pages: plays a video while it renders, and the MP4 afterwards. (C49) */
interface Player {
  show(
    video: { stream: string; mp4: string; poster: string; done: boolean; width: number; height: number },
    options: { play: boolean },
  ): Promise<void>;
  finish(video: { mp4: string; poster: string }): boolean;
  fail(): void;
}

/** The text while the player is empty. */
function nothingToWatch(output: Output): string {
  if (output.state === 'completed') return playerTexts.loading;
  if (!isOpen(output)) return playerTexts.nothingToWatch(stateWords(output));
  if (output.state === 'queued') return playerTexts.watchLater;
  return playerTexts.watchSoon;
}

function qualityName(quality: string): string {
  return quality in texts.qualities ? texts.qualities[quality as keyof typeof texts.qualities].name : quality;
}

/** Plays the rendered part of a preset, and continues as more is rendered. */
export function ExportPlayer({ view }: { readonly view: Export }) {
  const place = useRef<HTMLDivElement>(null);
  const player = useRef<Player | null>(null);
  const preset = useSignal(view.settings.preset);
  const output = view.outputs[preset.value]!;
  const done = output.state === 'completed';
  const summary = exported.value === null ? null : boardSummary(exported.value);
  useEffect(() => {
    let wanted = true;
    void (async () => {
      if (player.current === null) {
        const module = (await import(studioConfig.service!.watch)) as { Player: new (place: HTMLElement) => Player };
        // The panel was closed meanwhile.
        if (!wanted) return;
        player.current ??= new module.Player(place.current!);
      }
      if (!wanted) return;
      const video = { stream: view.hls[preset.value]!, mp4: view.downloads[preset.value]!, poster: view.links.poster };
      if (done && player.current.finish(video)) return;
      const { width, height } = output;
      await player.current.show({ ...video, done, width, height }, { play: false });
    })();
    return () => {
      wanted = false;
    };
  }, [view.export_id, preset.value, done]);
  useEffect(() => () => player.current?.fail(), []);
  return (
    <div class="xl">
      <div class="xw">
        <div ref={place} class="xv" data-hls={studioConfig.service?.hls} />
        <p role="status">{nothingToWatch(output)}</p>
      </div>
      <Radios
        label={playerTexts.watch}
        class="seg"
        value={preset.value}
        choices={Object.keys(view.outputs).map((name) => ({ value: name, words: formatName(name) }))}
        onChoose={(name) => {
          preset.value = name;
        }}
      />
      <dl class="facts">
        <div>
          <dt>{texts.fileName}</dt>
          <dd>{view.settings.file_name}</dd>
        </div>
        <div>
          <dt>{texts.quality}</dt>
          <dd>{playerTexts.qualityAndRate(qualityName(view.settings.quality), view.settings.fps)}</dd>
        </div>
        {view.duration !== null && (
          <div>
            <dt>{playerTexts.length}</dt>
            <dd>{page.seconds(view.duration.toFixed(1))}</dd>
          </div>
        )}
        {summary?.seen === true && (
          <div>
            <dt>{playerTexts.reveals}</dt>
            <dd>
              {summary.revealed}
              {notRanked(summary) !== null && <small class="q"> · {notRanked(summary)}</small>}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
