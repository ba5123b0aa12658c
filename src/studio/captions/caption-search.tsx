import { computed, signal } from '@preact/signals';
import { frameAt } from '../../time.ts';
import {
  type CaptionLine,
  captionLines,
  findCaptions,
  firstAhead,
  markedWords,
  type WordRef,
  wordKey,
} from '../document/caption-lines.ts';
import { Icon, IconButton } from '../kit/icon.tsx';
import { playhead, rate, timelineData } from '../session/session.ts';
import * as texts from '../texts/en/captions.ts';
import { fieldOf, focusWord, seekToWord } from './caption-focus.ts';

const searched = signal('');
const matches = computed(() => findCaptions(captionLines(timelineData.value), searched.value));
const chosen = signal(0);
/** The index of the match that is shown; edits can remove matches. */
const shown = computed(() => Math.min(chosen.value, matches.value.length - 1));
const marked = computed(() => markedWords(matches.value, shown.value));
const FIELD = 'captions-search';

/** Finds text in captions. The focus stays in the field, so that Enter goes on to the next match. */
export function CaptionSearch({ lines }: { readonly lines: readonly CaptionLine[] }) {
  const { value: found } = matches;
  const { value: at } = shown;
  const step = (by: number) => show((at + by + found.length) % found.length, lines);
  return (
    <search class="captions-search">
      <label class="srch">
        <Icon name="search" />
        <input
          id={FIELD}
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          autocomplete="off"
          enterkeyhint="search"
          value={searched.value}
          onInput={({ currentTarget: { value } }) => {
            searched.value = value;
            const isAhead = (start: number) => frameAt(start, rate.value) >= playhead.value;
            if (matches.value.length > 0) show(firstAhead(matches.value, lines, isAhead), lines);
          }}
          onKeyDown={(event) => {
            const { key, shiftKey } = event;
            if (key === 'Enter' && found.length > 0) step(shiftKey ? -1 : 1);
            else if (key === 'Escape' && searched.value !== '') {
              event.stopPropagation();
              focusWord(found[at] ?? null, 'all');
              endSearch();
            } else return;
            event.preventDefault();
          }}
        />
      </label>
      {searched.value !== '' && (
        <>
          <span class="num q" role="status">
            {found.length === 0 ? texts.notFound : texts.foundOf(at + 1, found.length)}
          </span>
          <Step label={texts.previous} icon="up" disabled={found.length === 0} onClick={() => step(-1)} />
          <Step label={texts.next} icon="down" disabled={found.length === 0} onClick={() => step(1)} />
        </>
      )}
    </search>
  );
}

interface StepProps {
  readonly label: string;
  readonly icon: 'up' | 'down';
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function Step({ label, icon, ...button }: StepProps) {
  return <IconButton icon={icon} label={label} title={label} {...button} />;
}

/** Moves the focus to the search field. */
export function startSearch(): void {
  const field = document.getElementById(FIELD) as HTMLInputElement;
  field.focus();
  field.select();
}

export function endSearch(): void {
  searched.value = '';
}

/** Whether a match contains a word, and whether that match is shown: a class of the word. */
export function foundAt(at: WordRef): 'found' | 'shown' | '' {
  return marked.value.get(wordKey(at)) ?? '';
}

function show(nth: number, lines: readonly CaptionLine[]): void {
  chosen.value = nth;
  const match = matches.value[nth]!;
  seekToWord(lines.find(({ id }) => id === match.line)!.words[match.index]!);
  fieldOf(match)?.scrollIntoView({ block: 'center' });
}
