import { signal } from '@preact/signals';
import { frameAt } from '../../time.ts';
import { type LineWord, type WordRef, wordKey } from '../document/caption-lines.ts';
import { rate } from '../session/session.ts';
import { seek } from '../session/transport.ts';

/** The word that has or had the focus last. */
export const currentWord = signal<WordRef | null>(null);

export function seekToWord({ start }: LineWord): void {
  seek(frameAt(start, rate.value));
}

/** Sets the focus and the caret after the next render. */
export function focusWord(at: WordRef | null, caret: 'start' | 'end' | 'all'): void {
  if (at === null) return;
  requestAnimationFrame(() => {
    const field = fieldOf(at);
    if (field === null) return;
    field.focus();
    const end = field.value.length;
    field.setSelectionRange(caret === 'end' ? end : 0, caret === 'start' ? 0 : end);
  });
}

/** The field of a word; null if it is not shown. */
export function fieldOf(at: WordRef): HTMLInputElement | null {
  return document.querySelector(`[data-word="${CSS.escape(wordKey(at))}"]`);
}
