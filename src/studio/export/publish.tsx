import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { PublishingKit, ThumbnailLooks } from '../../../packages/client/src/client.ts';
import { Icon } from '../kit/icon.tsx';
import { Radios } from '../kit/radios.tsx';
import { clock, megabytes } from '../kit/shown-values.ts';
import { useTyped } from '../kit/use-typed.ts';
import { exported } from '../session/session.ts';
import * as texts from '../texts/en/publish.ts';
import { CopyButton } from './copy-button.tsx';
import type { PublishSource } from './publish-source.ts';

type Style = keyof typeof texts.styles;
type Orientation = keyof typeof texts.orientations;
const STYLES = Object.keys(texts.styles) as Style[];
const ORIENTATIONS = Object.keys(texts.orientations) as Orientation[];

/** A thumbnail as it was drawn. */
interface Drawn {
  readonly url: string;
  readonly bytes: number;
  readonly type: string;
}

/** A file to download beside the videos. */
interface FileLine {
  readonly words: string;
  readonly about: string;
  readonly download: string;
  readonly href: string;
  /** Its name on disk; absent: the one that the service gives. */
  readonly name?: string;
}

/**
 * What a person needs to publish an export: a thumbnail, and the texts to paste. (R39, R40)
 *
 * @param open the video; it is closed with this part of the page.
 */
export function Publish({ open }: { readonly open: () => PublishSource }) {
  const source = useSignal<PublishSource | null>(null);
  const thumbnail = useSignal<FileLine | null>(null);
  const kit = useSignal<Kit | null>(null);
  const title = useSignal('');
  const description = useSignal('');
  useEffect(() => {
    const gone = new AbortController();
    const opened = open();
    opened.kit(gone.signal).then(
      (found) => {
        title.value = found.title;
        description.value = found.description;
        kit.value = found;
        source.value = opened;
      },
      () => {},
    );
    return () => {
      gone.abort();
      opened.close();
    };
  }, []);
  if (source.value === null || kit.value === null) return null;
  return (
    <section class="pub" aria-label={texts.publish}>
      <Thumbnails source={source.value} written={{ title, description }} file={thumbnail} />
      <Texts kit={kit.value} name={source.value.name} written={{ title, description }} thumbnail={thumbnail.value} />
    </section>
  );
}

type Kit = Pick<PublishingKit, 'title' | 'description' | 'tags' | 'captions'>;

/** The texts of the kit, as the person changed them. */
interface KitTexts {
  readonly title: Signal<string>;
  readonly description: Signal<string>;
}

interface ThumbnailsProps {
  readonly source: PublishSource;
  readonly written: KitTexts;
  /** The chosen one, for the list of files. */
  readonly file: Signal<FileLine | null>;
}

/** Every style at the size of a search result; one is chosen and shown in a result. */
function Thumbnails({ source, written: { title, description }, file }: ThumbnailsProps) {
  const chosen = useSignal<Style>('question');
  const orientation = useSignal<Orientation>(source.isPortrait ? 'portrait' : 'landscape');
  const text = useSignal('');
  const items = useSignal('');
  const { ids, unknown } = idsOf(items.value);
  const drawn = useThumbnails(source, {
    orientation: orientation.value,
    ...(text.value !== '' && { text: text.value }),
    ...(ids.length > 0 && { items: ids }),
  });
  const shown = drawn[chosen.value];
  const shape = `yt ${orientation.value}`;
  useEffect(() => {
    file.value =
      shown == null
        ? null
        : {
            words: texts.thumbnail,
            about: texts.sizeOf(texts.thumbnailSizes[orientation.value], megabytes(shown.bytes)),
            download: texts.downloadThumbnail,
            href: shown.url,
            name: `${source.name}-${chosen.value}.${endingOf(shown)}`,
          };
  }, [shown, chosen.value]);
  return (
    <div class="pub-thumbs">
      <div class="pub-head">
        <h2>{texts.thumbnail}</h2>
        <Radios
          label={texts.orientation}
          class="seg"
          value={orientation.value}
          choices={ORIENTATIONS.map((value) => ({ value, words: texts.orientations[value] }))}
          onChoose={(value) => {
            orientation.value = value;
          }}
        />
      </div>
      <Radios
        label={texts.thumbnail}
        class="thumbs"
        value={chosen.value}
        choices={STYLES.map((style) => ({
          value: style,
          words: (
            <>
              <Picture class={shape} drawn={drawn[style]} />
              <span>{texts.styles[style]}</span>
            </>
          ),
        }))}
        onChoose={(style) => {
          chosen.value = style;
        }}
      />
      <div class="pub-row">
        <TextField
          label={texts.text}
          text={text.value}
          placeholder={texts.textFromTitle}
          onKeep={(value) => {
            text.value = value.trim().slice(0, 100);
          }}
        />
        <TextField
          label={texts.items}
          text={items.value}
          placeholder={texts.itemsChosen}
          help={unknown === null ? texts.itemsHelp : texts.noItem(unknown)}
          onKeep={(value) => {
            items.value = value;
          }}
        />
      </div>
      <p class="q">{texts.inAResult}</p>
      <div class="result">
        <div class="pub-time">
          <Picture class={shape} drawn={shown} />
          <time>{clock(source.seconds)}</time>
        </div>
        <div>
          <b>{title.value}</b>
          <span class="q">{description.value.split('\n', 1)[0]}</span>
        </div>
      </div>
    </div>
  );
}

function Picture({ class: name, drawn }: { readonly class: string; readonly drawn: Drawn | null | undefined }) {
  if (drawn == null) return <span class={name}>{drawn === null ? texts.notDrawn : texts.drawing}</span>;
  return (
    <span class={name}>
      <img src={drawn.url} alt="" />
    </span>
  );
}

/** The styles as they are drawn, one after the other; null for one that cannot be drawn, such as two rivals of one item. */
function useThumbnails(source: PublishSource, looks: ThumbnailLooks): Readonly<Partial<Record<Style, Drawn | null>>> {
  const drawn = useSignal<Readonly<Partial<Record<Style, Drawn | null>>>>({});
  const key = JSON.stringify(looks);
  useEffect(() => {
    const gone = new AbortController();
    const urls: string[] = [];
    drawn.value = {};
    void (async () => {
      for (const style of STYLES) {
        const one = await draw(source, { ...looks, style }, gone.signal);
        if (gone.signal.aborted) return;
        if (one !== null) urls.push(one.url);
        drawn.value = { ...drawn.value, [style]: one };
      }
    })();
    return () => {
      gone.abort();
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [source, key]);
  return drawn.value;
}

/** A style that does not take the chosen items is drawn with its own. */
async function draw(source: PublishSource, looks: ThumbnailLooks, signal: AbortSignal): Promise<Drawn | null> {
  const { items: _, ...without } = looks;
  for (const wanted of [looks, without]) {
    try {
      const picture = await source.thumbnail(wanted, signal);
      if (signal.aborted) return null;
      return { url: URL.createObjectURL(picture), bytes: picture.size, type: picture.type };
    } catch {
      if (signal.aborted || looks.items === undefined) return null;
    }
  }
  return null;
}

/** The ids of items by their names, and the first name that no item has. */
function idsOf(text: string): { readonly ids: readonly string[]; readonly unknown: string | null } {
  const items = exported.value?.tier_list.items ?? [];
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const found = names.map((name) => {
    const sought = name.toLowerCase();
    return items.find((item) => (item.name ?? item.id).trim().toLowerCase() === sought)?.id ?? null;
  });
  return { ids: found.filter((id) => id !== null), unknown: names[found.indexOf(null)] ?? null };
}

function endingOf({ type }: Drawn): string {
  return type === 'image/png' ? 'png' : 'jpg';
}

interface TextsProps {
  readonly kit: Kit;
  readonly name: string;
  readonly written: KitTexts;
  readonly thumbnail: FileLine | null;
}

/** The files beside the videos, and the texts to paste elsewhere, which can be changed before they are copied. */
function Texts({ kit, name, written: { title, description }, thumbnail }: TextsProps) {
  const id = useId();
  const tags = kit.tags.join(', ');
  return (
    <div class="pub-kit">
      <h2>{texts.readyToPublish}</h2>
      <ul class="pub-files">
        {thumbnail !== null && <DownloadLine {...thumbnail} />}
        {kit.captions !== null && (
          <DownloadLine
            words={texts.captions}
            about={texts.captionsKind}
            download={texts.downloadCaptions}
            href={kit.captions}
            name={`${name}.srt`}
          />
        )}
      </ul>
      <div class="pub-part">
        <label for={`${id}-title`}>{texts.title}</label>
        <CopyButton text={title.value} words={texts.copyTitle} />
        <input
          id={`${id}-title`}
          type="text"
          value={title.value}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
      </div>
      <div class="pub-part">
        <label for={`${id}-description`}>{texts.description}</label>
        <CopyButton text={description.value} words={texts.copyDescription} />
        <textarea
          id={`${id}-description`}
          class="area"
          rows={9}
          value={description.value}
          onInput={({ currentTarget }) => {
            description.value = currentTarget.value;
          }}
        />
      </div>
      <div class="pub-part">
        <span>{texts.tags}</span>
        <CopyButton text={tags} words={texts.copyTags} />
        <p class="q">{tags}</p>
      </div>
    </div>
  );
}

function DownloadLine({ words, about, download, href, name = '' }: FileLine) {
  return (
    <li>
      <b>{words}</b>
      <small class="q">{about}</small>
      <a class="bt" href={href} download={name} aria-label={download} title={download}>
        <Icon name="download" />
        {texts.download}
      </a>
    </li>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly text: string;
  readonly placeholder: string;
  readonly help?: string;
  readonly onKeep: (text: string) => void;
}

function TextField({ label, text, placeholder, help, onKeep }: TextFieldProps) {
  const id = useId();
  return (
    <div class="pub-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        placeholder={placeholder}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        {...useTyped(text, onKeep, { asTyped: true })}
      />
      {help !== undefined && (
        <small id={`${id}-help`} class="q" role="status">
          {help}
        </small>
      )}
    </div>
  );
}
