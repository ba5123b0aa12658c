import { type Frames, secondsOf } from '../../time.ts';
import {
  acceptWord,
  type CaptionLine,
  captionLines,
  isUnsure,
  joinLine,
  joinWords,
  type LineWord,
  nextUnsure,
  removeLine,
  setWord,
  splitLine,
  type WordRef,
  wordKey,
} from '../document/caption-lines.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { IconButton } from '../kit/icon.tsx';
import { announce } from '../kit/messages.ts';
import { clock } from '../kit/shown-values.ts';
import { useTyped } from '../kit/use-typed.ts';
import { editTimeline, type TimelineChange } from '../session/edit-timeline.ts';
import { playhead, rate, readOnly, timelineData } from '../session/session.ts';
import { play, togglePlay } from '../session/transport.ts';
import * as texts from '../texts/en/captions.ts';
import { currentWord, focusWord, seekToWord } from './caption-focus.ts';
import { foundAt } from './caption-search.tsx';

/** The lines of captions: each word is a field. */
export function Lines({ lines }: { readonly lines: readonly CaptionLine[] }) {
  const now = secondsOf(playhead.value as Frames, rate.value);
  const { value: chosen } = currentWord;
  const stop =
    chosen !== null && lines.some(({ id }) => id === chosen.line) ? chosen : { line: lines[0]!.id, index: 0 };
  return (
    <ol class="captions-lines" aria-label={texts.lines}>
      {lines.map((line, nth) => {
        const isNow = line.start <= now && now < line.start + line.duration;
        return (
          <li key={line.id} class="captions-line" aria-current={isNow ? 'true' : undefined}>
            <button
              type="button"
              class="captions-at num"
              tabIndex={-1}
              aria-label={texts.goTo(clock(line.start))}
              onClick={() => focusWord({ line: line.id, index: 0 }, 'start')}
            >
              {clock(line.start)}
            </button>
            <div class="captions-words" role="group" aria-label={texts.lineOf(nth + 1, lines.length)}>
              {line.words.map((word, index) => (
                <Word
                  key={`${index} ${word.start}`}
                  at={{ line: line.id, index }}
                  {...{ line, word, lines }}
                  isStop={stop.line === line.id && stop.index === index}
                />
              ))}
            </div>
            {chosen?.line === line.id && <LineTools {...{ line, lines }} at={chosen} />}
          </li>
        );
      })}
    </ol>
  );
}

/** Actions for the line with the focus, for touch. */
function LineTools({
  line,
  lines,
  at,
}: {
  readonly line: CaptionLine;
  readonly lines: readonly CaptionLine[];
  readonly at: WordRef;
}) {
  const word = line.words[at.index];
  const before = lines[lines.indexOf(line) - 1];
  return (
    <div class="captions-tools">
      {word !== undefined && isUnsure(word) && (
        <>
          <span>
            <b>{word.text}</b> {texts.notSure(confidence(word))}
          </span>
          <button type="button" class="bt" onClick={() => accept(at, lines)}>
            {texts.right}
          </button>
        </>
      )}
      {word !== undefined && (
        <IconButton
          icon="play"
          label={texts.hear}
          title={texts.hear}
          onClick={() => {
            seekToWord(word);
            play(1);
          }}
        />
      )}
      {at.index > 0 && (
        <IconButton
          icon="scissors"
          label={texts.splitBefore(word?.text ?? '')}
          title={texts.splitBefore(word?.text ?? '')}
          onClick={() => split(at)}
        />
      )}
      {before !== undefined && (
        <IconButton icon="up" label={texts.join} title={texts.join} onClick={() => join(line, before)} />
      )}
      <IconButton
        icon="trash"
        label={texts.remove}
        title={texts.remove}
        onClick={() => {
          change(texts.remove, (data) => removeLine(data, line.id));
          announce(texts.lineDeleted);
          focusSoon('.captions-word[tabindex="0"]', '.captions button');
        }}
      />
    </div>
  );
}

interface WordProps {
  readonly at: WordRef;
  readonly line: CaptionLine;
  readonly word: LineWord;
  readonly lines: readonly CaptionLine[];
  readonly isStop: boolean;
}

/** One word, editable in place. */
function Word({ at, line, word, lines, isStop }: WordProps) {
  const unsure = isUnsure(word);
  const typed = useTyped(word.text, (text, _, isPause) => write(at, text, isPause), { asTyped: true });
  return (
    <input
      class={`captions-word${unsure ? ' unsure' : ''} ${foundAt(at)}`}
      data-word={wordKey(at)}
      aria-label={texts.wordAt(at.index + 1, clock(word.start), unsure ? confidence(word) : null)}
      {...typed}
      size={Math.max(1, typed.value.length)}
      tabIndex={isStop ? 0 : -1}
      readOnly={readOnly.value}
      spellcheck
      onFocus={() => {
        currentWord.value = at;
        seekToWord(word);
      }}
      onKeyDown={(event) => onKey(event, { at, line, lines })}
    />
  );
}

function onKey(
  event: KeyboardEvent & { readonly currentTarget: HTMLInputElement },
  { at, line, lines }: Omit<WordProps, 'isStop' | 'word'>,
): void {
  const { key, currentTarget: field } = event;
  const { selectionStart, selectionEnd, value } = field;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const atStart = selectionStart === 0 && selectionEnd === 0;
  const atEnd = selectionStart === value.length && selectionEnd === value.length;
  const done = () => {
    event.preventDefault();
    event.stopPropagation();
  };
  if (key === ' ' && (event.ctrlKey || event.metaKey)) {
    done();
    togglePlay();
  } else if (key === 'Enter' && isPlain && !readOnly.value) {
    done();
    const isAfter = (selectionStart ?? 0) * 2 > value.length;
    const from = isAfter ? at.index + value.trim().split(/\s+/).length : at.index;
    field.blur();
    split({ line: at.line, index: from });
  } else if (key === 'Backspace' && isPlain && atStart && !readOnly.value) {
    const before = lines[lines.indexOf(line) - 1];
    if (at.index === 0 && before === undefined) return;
    done();
    field.blur();
    if (at.index === 0) join(line, before!);
    else {
      change(texts.joinWords, (data) => joinWords(data, at));
      focusWord({ line: at.line, index: at.index - 1 }, 'end');
    }
  } else if (key === 'Tab' && isPlain) {
    const next = nextUnsure(lines, at, event.shiftKey ? -1 : 1);
    if (next === null) return;
    done();
    focusWord(next, 'all');
  } else if (isPlain && ((key === 'ArrowLeft' && atStart) || (key === 'ArrowRight' && atEnd))) {
    done();
    step(lines, at, key === 'ArrowLeft' ? -1 : 1);
  } else if (isPlain && (key === 'ArrowUp' || key === 'ArrowDown')) {
    done();
    const to = lines[lines.indexOf(line) + (key === 'ArrowUp' ? -1 : 1)];
    if (to !== undefined) focusWord({ line: to.id, index: Math.min(at.index, to.words.length - 1) }, 'start');
  }
}

function write(at: WordRef, text: string, isTyped: boolean): void {
  const before = timelineData.value;
  if (setWord(before, at, text, isTyped) !== before) {
    change(texts.correctWord, (data) => setWord(data, at, text, isTyped));
  }
}

function split(at: WordRef): void {
  const before = captionLines(timelineData.value);
  change(texts.splitLine, (data) => splitLine(data, at));
  const after = captionLines(timelineData.value);
  if (after.length === before.length) return;
  const nth = after.findIndex(({ id }) => id === at.line);
  announce(texts.lineSplit);
  focusWord({ line: after[nth + 1]!.id, index: 0 }, 'start');
}

function join(line: CaptionLine, before: CaptionLine): void {
  change(texts.joinLines, (data) => joinLine(data, line.id));
  announce(texts.linesJoined);
  focusWord({ line: before.id, index: before.words.length }, 'start');
}

function accept(at: WordRef, lines: readonly CaptionLine[]): void {
  change(texts.confirmWord, (data) => acceptWord(data, at));
  focusWord(nextUnsure(lines, at, 1) ?? at, 'all');
}

function change(label: string, recipe: TimelineChange): void {
  editTimeline(label, recipe);
}

function step(lines: readonly CaptionLine[], at: WordRef, by: 1 | -1): void {
  const all = lines.flatMap(({ id, words }) => words.map((_, index) => ({ line: id, index })));
  const here = all.findIndex(({ line, index }) => line === at.line && index === at.index);
  const next = all[here + by];
  if (next !== undefined) focusWord(next, by === 1 ? 'start' : 'end');
}

/** How sure the speech model is of a word, in percent. */
function confidence({ confidence = 1 }: LineWord): number {
  return Math.round(confidence * 100);
}
