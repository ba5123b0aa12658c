import { computed, useSignal } from '@preact/signals';
import { carryFile } from '../carry/carry-file.ts';
import { usedFields } from '../document/media-commands.ts';
import type { MediaEntry } from '../document/project.ts';
import { isItemSelected } from '../document/selection.ts';
import { kept } from '../keeping/autosave.ts';
import { Icon } from '../kit/icon.tsx';
import { opensMenu } from '../kit/open-menu.ts';
import { megabytes } from '../kit/shown-values.ts';
import { importing } from '../media/media-store.ts';
import { factWords, Thumb } from '../media/thumb.tsx';
import { whereFilesAre } from '../session/may-send.ts';
import { mediaShelf, project, selection, tierList } from '../session/session.ts';
import * as texts from '../texts/en/page.ts';
import { chooseFiles, MEDIA_FILES, takeFiles } from './take-files.ts';

type Media = readonly [field: string, entry: MediaEntry];

/** The files of the project. The list changes only if a file does. */
const inBin = computed((): readonly Media[] => {
  const { media, coming } = mediaShelf.value;
  return Object.keys(fields.value).flatMap((field): Media[] => {
    const entry = media[field] ?? coming?.[field];
    return entry === undefined ? [] : [[field, entry]];
  });
});
const fields = computed(() => project.value.media);

let lastUsed: ReadonlySet<string> = new Set();
/** The fields in use. The set changes only if its content does. */
const inUse = computed(() => {
  const used = usedFields(project.value);
  if (used.size !== lastUsed.size || ![...used].every((field) => lastUsed.has(field))) lastUsed = used;
  return lastUsed;
});

/** Files that are in use but not in this browser, by their paths in the project file. */
const missingPaths = computed(() => {
  const { media, coming } = mediaShelf.value;
  return Object.entries(fields.value).flatMap(([field, path]) =>
    inUse.value.has(field) && (media[field] ?? coming?.[field]) === undefined ? [path] : [],
  );
});

/** All media of the project: pictures, clips, sound. */
export function Bin() {
  const search = useSignal('');
  const all = inBin.value;
  const found = all.filter(([, { name }]) => name.toLowerCase().includes(search.value.trim().toLowerCase()));
  const of = (...kinds: readonly string[]) => found.filter(([, { kind }]) => kinds.includes(kind));
  const used = inUse.value;
  const missing = missingPaths.value;
  return (
    <aside class="bin" aria-label={texts.media}>
      <div class="phd">
        <h2>{texts.media}</h2>
        <button type="button" class="bt" onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
          <Icon name="plus" />
          {texts.add}
        </button>
      </div>
      {all.length > 8 && (
        <label class="srch">
          <Icon name="search" />
          <input
            type="search"
            aria-label={texts.findMedia}
            placeholder={texts.findInFiles(all.length)}
            value={search.value}
            onInput={(event) => {
              search.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
      <section class="scr" tabIndex={0} aria-label={texts.files}>
        {all.length === 0 && missing.length === 0 && <EmptyBin />}
        {missing.length > 0 && (
          <>
            <h3>
              {texts.missing} <small>{missing.length}</small>
            </h3>
            <ul class="missing">
              {missing.map((path) => (
                <li key={path}>
                  <Icon name="warn" />
                  {path.split('/').at(-1)}
                </li>
              ))}
            </ul>
            <p class="q">{texts.dropMissing}</p>
          </>
        )}
        <Pictures media={of('still', 'animation', 'drawing')} used={used} />
        <Files title={texts.clips} media={of('video')} used={used} />
        <Files title={texts.sound} media={of('audio')} used={used} />
        <Files title={texts.noPreview} media={of('unreadable')} used={used} />
      </section>
      <BinFoot bytes={all.reduce((sum, [, { bytes }]) => sum + bytes, 0)} />
    </aside>
  );
}

function EmptyBin() {
  return (
    <>
      <div class="mg gh" aria-hidden="true">
        {Array.from({ length: 9 }, (_, i) => (
          <i key={i} />
        ))}
      </div>
      <p class="q c">{texts.noMedia}</p>
    </>
  );
}

function Pictures({ media, used }: { readonly media: readonly Media[]; readonly used: ReadonlySet<string> }) {
  if (media.length === 0) return null;
  const { items, rows } = tierList.value;
  const ranked = new Set(rows.flatMap(({ item_ids = [] }) => item_ids));
  const byField = new Map(items.map((item) => [item.file_field, item]));
  return (
    <>
      <h3>
        {texts.pictures} <small>{media.length}</small>
      </h3>
      <div class="mg">
        {media.map(([field, entry]) => {
          const item = byField.get(field);
          const chosen = item === undefined ? isMediaChosen(field) : isItemSelected(selection.value, item.id);
          return (
            <button
              key={field}
              type="button"
              class={`m ${chosen ? 'on' : ''}`}
              aria-pressed={chosen}
              title={entry.name}
              onPointerDown={(event) => carryFile(event, field, item?.id ?? null)}
              onContextMenu={(event) => {
                selection.value = item === undefined ? { kind: 'media', field } : { kind: 'items', ids: [item.id] };
                opensMenu(item === undefined ? { kind: 'media', field } : { kind: 'item', id: item.id })(event);
              }}
              onClick={() => {
                selection.value = item === undefined ? { kind: 'media', field } : { kind: 'items', ids: [item.id] };
              }}
            >
              <Thumb entry={entry} />
              <span>{item?.name ?? entry.name}</span>
              {(item === undefined ? used.has(field) : ranked.has(item.id)) && (
                <em title={texts.inUse}>
                  <Icon name="check" />
                </em>
              )}
            </button>
          );
        })}
      </div>
    </>
  );
}

function Files({
  title,
  media,
  used,
}: {
  readonly title: string;
  readonly media: readonly Media[];
  readonly used: ReadonlySet<string>;
}) {
  if (media.length === 0) return null;
  return (
    <>
      <h3>
        {title} <small>{media.length}</small>
      </h3>
      {media.map(([field, entry]) => (
        <button
          key={field}
          type="button"
          class={`mr ${isMediaChosen(field) ? 'on' : ''}`}
          aria-pressed={isMediaChosen(field)}
          data-media={field}
          onPointerDown={(event) => carryFile(event, field, null)}
          onContextMenu={opensMenu({ kind: 'media', field })}
          onClick={() => {
            selection.value = { kind: 'media', field };
          }}
        >
          <span class="th">
            <Thumb entry={entry} />
          </span>
          <span class="mt">
            <b>{entry.name}</b>
            <small>
              {factWords(entry)}
              {!used.has(field) && ` · ${texts.notUsed}`}
            </small>
          </span>
        </button>
      ))}
    </>
  );
}

function isMediaChosen(field: string): boolean {
  return selection.value.kind === 'media' && selection.value.field === field;
}

function BinFoot({ bytes }: { readonly bytes: number }) {
  const { value: now } = importing;
  if (now !== null) {
    return (
      <p class="foot" role="status">
        <progress max={now.of} value={now.done} aria-label={texts.addingFiles} />
        {texts.countOf(now.done, now.of)}
      </p>
    );
  }
  const { media, coming } = mediaShelf.value;
  if (coming !== undefined) {
    const done = Object.keys(media).length;
    return (
      <p class="foot" role="status">
        <progress max={done + Object.keys(coming).length} value={done} aria-label={texts.drawingExample} />
        {texts.drawingExample}
      </p>
    );
  }
  const isKept = kept.value === 'saved' || kept.value === 'saving';
  return (
    <p class="foot">
      {isKept && <Icon name="check" />}
      <span>
        {isKept && bytes === 0
          ? texts.privateMedia(whereFilesAre())
          : (isKept ? texts.keptMedia : texts.mediaInTab)(megabytes(bytes))}
      </span>
    </p>
  );
}
