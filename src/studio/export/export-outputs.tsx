import type { Export, Output, Short } from '../../../packages/client/src/client.ts';
import { megabytes } from '../kit/figures.ts';
import { formatName } from '../kit/format-name.ts';
import { Icon } from '../kit/icon.tsx';
import * as texts from '../texts/en/export.ts';
import * as page from '../texts/en/page.ts';
import { isOpen } from './export-progress.ts';
import { stateWords } from './export-words.ts';
import { stopExport } from './run-export.ts';

/** A line for each format and each short: its progress and its download. */
export function ExportOutputs({ view }: { readonly view: Export }) {
  return (
    <ul class="outs">
      {Object.entries(view.outputs).map(([preset, output]) => (
        <OutputRow key={preset} preset={preset} output={output} href={view.downloads[preset]!} />
      ))}
      {view.shorts?.map((short) => (
        <ShortRow key={short.number} short={short} />
      ))}
    </ul>
  );
}

/** A short is rendered when it is downloaded, so the link always works. (C52) */
function ShortRow({ short }: { readonly short: Short }) {
  const done = short.state === 'completed';
  return (
    <li class={`or ${done ? 'done' : ''}`} data-short={short.number}>
      <PresetIcon {...short} />
      <div class="oh">
        <b>{texts.short(short.number)}</b>
        <span class="q">{short.title}</span>
        <span class="os">
          {done || short.error !== undefined ? stateWords(short) : page.seconds(Math.round(short.duration))}
        </span>
      </div>
      <a class="bt" href={short.download_url} download>
        <Icon name="download" />
        <span>{done ? texts.download : texts.makeIt}</span>
        {done && <small>{megabytes(short.bytes ?? 0)}</small>}
      </a>
    </li>
  );
}

function OutputRow({
  preset,
  output,
  href,
}: {
  readonly preset: string;
  readonly output: Output;
  readonly href: string;
}) {
  const done = output.state === 'completed';
  const idle = output.state === 'idle';
  const percent = Math.floor(output.progress * 100);
  const name = formatName(preset);
  return (
    <li class={`or ${done ? 'done' : ''}`} data-preset={preset}>
      <PresetIcon {...output} />
      <div>
        <div class="oh">
          <b>{name}</b>
          <span class="q">
            {output.width} × {output.height}
          </span>
          <span class="os">{stateWords(output)}</span>
        </div>
        <div
          class="bar"
          role="progressbar"
          aria-label={name}
          aria-valuenow={done ? 100 : percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${done ? 100 : percent}%` }} />
        </div>
      </div>
      {done || idle ? (
        <a class={done ? 'bt prim' : 'bt'} href={href} download>
          <Icon name="download" />
          <span>{done ? texts.download : texts.makeIt}</span> {done && <small>{megabytes(output.bytes ?? 0)}</small>}
        </a>
      ) : (
        isOpen(output) && (
          <button type="button" class="bt" aria-label={texts.stopFormat(name)} onClick={() => void stopExport(preset)}>
            {texts.stop}
          </button>
        )
      )}
    </li>
  );
}

function PresetIcon({ width, height }: Pick<Output, 'width' | 'height'>) {
  return <span class={`oi ${width > height ? 'l' : width < height ? 'p' : 's'}`} aria-hidden="true" />;
}
