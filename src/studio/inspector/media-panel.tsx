import type { LaneName } from '../../timeline/lanes.ts';
import { addItem } from '../document/media/add-files.ts';
import { isFileLocked, placeMedia, removeMedia } from '../document/media-commands.ts';
import type { MediaEntry } from '../document/project.ts';
import { NOTHING } from '../document/selection.ts';
import { written } from '../document/timeline/slot.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { megabytes } from '../kit/figures.ts';
import { Icon } from '../kit/icon.tsx';
import { say } from '../kit/messages.ts';
import { factWords, Thumb } from '../media/thumb.tsx';
import { edit, playhead, project, rate, selection } from '../session/session.ts';
import * as texts from '../texts/en/inspector.ts';
import * as page from '../texts/en/page.ts';

/** A file and its actions. */
export function MediaPanel({ field, entry }: { readonly field: string; readonly entry: MediaEntry }) {
  const isPicture = entry.kind === 'still' || entry.kind === 'drawing' || entry.kind === 'animation';
  return (
    <>
      <div class="phd">
        <h2>{texts.file}</h2>
      </div>
      <section class="scr" tabIndex={0} aria-label={texts.file}>
        <div class="media-large">
          <Thumb entry={entry} />
        </div>
        <p class="media-name">{entry.name}</p>
        <p class="q">
          {factWords(entry)} · {megabytes(entry.bytes)}
        </p>
        <div class="stack">
          {entry.kind !== 'audio' && entry.kind !== 'drawing' && (
            <Put field={field} entry={entry} lane="videos" words={texts.clipHere} />
          )}
          {(entry.kind === 'audio' || entry.sound) && (
            <Put
              field={field}
              entry={entry}
              lane={entry.kind === 'audio' ? 'soundtracks' : 'audios'}
              words={entry.kind === 'audio' ? texts.soundHere : texts.clipSoundHere}
            />
          )}
          {isPicture && (
            <button
              type="button"
              class="bt wide"
              onClick={() => edit(page.addItem, (draft) => addItem(draft, field, entry))}
            >
              <Icon name="board" />
              {texts.makeItem}
            </button>
          )}
          <button
            type="button"
            class="bt wide quiet-button"
            onClick={() => {
              if (isFileLocked(project.value, field)) {
                say(page.lockedEntries);
                return;
              }
              selection.value = NOTHING;
              edit(page.removeNamed(entry.name), (draft) => removeMedia(draft, field));
              focusSoon('.bin .scr button', '.bin button');
            }}
          >
            <Icon name="trash" />
            {page.removeFromProject}
          </button>
        </div>
      </section>
    </>
  );
}

interface PutProps {
  readonly field: string;
  readonly entry: MediaEntry;
  readonly lane: LaneName;
  readonly words: string;
}

function Put({ field, entry, lane, words }: PutProps) {
  return (
    <button
      type="button"
      class="bt wide"
      onClick={() => {
        const start = written(playhead.value, rate.value);
        edit(page.addNamed(entry.name), (draft) => void placeMedia(draft, field, entry, { lane, start }));
      }}
    >
      <Icon name={lane === 'videos' ? 'film' : 'sound'} />
      {words}
    </button>
  );
}
