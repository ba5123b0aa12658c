import { useEffect, useId, useState } from 'preact/hooks';
import { usedFields } from '../document/media-commands.ts';
import { mediaOf } from '../document/project.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { formatName, megabytes } from '../kit/shown-values.ts';
import { spanWords } from '../kit/time-left.ts';
import { useTyped } from '../kit/use-typed.ts';
import { edit, planned, project, settings } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import * as hereTexts from '../texts/en/export-here.ts';
import { chooseFormat, exportWords, formatsToMake } from './export-choices.ts';
import { choosePlace, EXPORT_PLACES, exportPlace } from './export-place.ts';
import { exportOpen } from './export-progress.ts';
import { estimatePlaces, type HereEstimate, type PlaceEstimates, type ServiceEstimate } from './place-estimates.ts';

const QUALITIES = (['draft', 'balanced', 'high', 'upload'] as const).map((value) => ({
  value,
  words: texts.qualities[value].name,
}));

/** The next export: where, which formats, how good, and its name. Formats are stored in the browser, the others in the project. */
export function ExportOptions() {
  const formats = formatsToMake();
  const quality = settings.value.quality ?? 'balanced';
  const { device, service: there } = usePlaceEstimates();
  const isRefused = device.value.state === 'refused' && exportPlace.value !== 'device';
  return (
    <div class="export-options">
      <h2>{texts.exportHead}</h2>
      <Radios
        label={texts.place}
        class="export-places"
        value={exportPlace.value}
        choices={EXPORT_PLACES.map((value) =>
          value === 'service'
            ? { value, words: placeWords(texts.onService, [serviceWords(there.value)]) }
            : { value, words: placeWords(texts.onDevice, hereWords(device.value)), disabled: isRefused },
        )}
        onChoose={choosePlace}
      />
      <fieldset>
        <legend class="menu-title">{texts.formatsTitle}</legend>
        {studioConfig.presets.map(({ name, width, height }) => (
          <label key={name} class="export-format">
            <input
              type="checkbox"
              checked={formats.includes(name)}
              disabled={formats.length === 1 && formats.includes(name)}
              onChange={(event) => chooseFormat(name, event.currentTarget.checked)}
            />
            <i style={{ aspectRatio: `${width} / ${height}`, [width < height ? 'height' : 'width']: '34px' }} />
            {formatName(name)}
            <small class="q">
              {width} × {height}
            </small>
          </label>
        ))}
      </fieldset>
      <p class="menu-title">{texts.quality}</p>
      <Radios
        label={texts.quality}
        class="menu-row"
        each="pick"
        value={quality}
        choices={QUALITIES}
        onChoose={(chosen) =>
          edit(texts.changeQuality, (draft) => {
            draft.settings.quality = chosen;
          })
        }
      />
      <p class="q">{texts.qualities[quality].help}</p>
      <FileName />
      <button
        type="button"
        class="bt prim wide"
        data-closes
        onClick={() => {
          exportOpen.value = true;
        }}
      >
        <Icon name="export" />
        {exportWords(false)}
      </button>
      <p class="q">{texts.checks(planned.value.errors.length, planned.value.warnings.length)}</p>
    </div>
  );
}

function usePlaceEstimates(): PlaceEstimates {
  const [{ estimates, ended }] = useState(() => {
    const end = new AbortController();
    return { estimates: estimatePlaces(end.signal), ended: end };
  });
  useEffect(() => () => ended.abort(), []);
  return estimates;
}

function placeWords(name: string, more: readonly string[]) {
  return (
    <>
      <b>{name}</b>
      {more.map((line) => (
        <span key={line} class="q">
          {line}
        </span>
      ))}
    </>
  );
}

function serviceWords({ seconds, waiting }: ServiceEstimate): string {
  const time = seconds === null ? '' : hereTexts.aboutSo(spanWords(seconds));
  return [time, waiting ? hereTexts.exportsWait(waiting) : '', texts.whereAndWhat(location.host, filesWords())]
    .filter((part) => part !== '')
    .join(' ');
}

function hereWords(here: HereEstimate): readonly string[] {
  if (here.state === 'refused') return here.faults;
  if (here.state === 'checking') return [`${hereTexts.checkingBrowser} ${hereTexts.onDeviceMore}`];
  const encoder = here.isHardware ? hereTexts.hardwareFound : hereTexts.softwareOnly;
  return [`${encoder} ${hereTexts.aboutSo(spanWords(here.seconds))} ${hereTexts.onDeviceMore}`];
}

/** `12 files (46 MB)`: what an export needs. */
function filesWords(): string {
  const fields = [...usedFields(project.value)];
  const files = new Map(
    fields.flatMap((field) => {
      const media = mediaOf(project.value, field);
      return media === undefined ? [] : [[media.hash, media.bytes]];
    }),
  );
  return texts.files(files.size, megabytes([...files.values()].reduce((sum, bytes) => sum + bytes, 0)));
}

function FileName() {
  const id = useId();
  const typed = useTyped(
    settings.value.file_name ?? '',
    (text) =>
      edit(texts.changeFileName, (draft) => {
        const name = text.trim();
        if (name === '') delete draft.settings.file_name;
        else draft.settings.file_name = name;
      }),
    { asTyped: true },
  );
  return (
    <div class="export-name">
      <label class="menu-title" for={id}>
        {texts.fileName}
      </label>
      <input id={id} type="text" placeholder={texts.usualFileName} spellcheck={false} {...typed} />
    </div>
  );
}
