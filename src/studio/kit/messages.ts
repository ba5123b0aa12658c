import { signal } from '@preact/signals';

/** A short notification at the lower edge that disappears by itself. */
interface Message {
  readonly id: number;
  readonly text: string;
  readonly kind: 'word' | 'bad';
  /** Takes back what the message reports. */
  readonly undo: (() => void) | null;
}

export const messages = signal<readonly Message[]>([]);
let lastId = 0;

const WORD_MS = 5000;
const BAD_MS = 12_000;
/** How long a message offers to take something back. */
export const UNDO_MS = 15_000;

export function say(text: string, kind: Message['kind'] = 'word', undo: (() => void) | null = null): void {
  lastId += 1;
  const message = { id: lastId, text, kind, undo };
  messages.value = [...messages.value.filter((other) => other.text !== text), message].slice(-3);
  setTimeout(() => unsay(message.id), undo !== null ? UNDO_MS : kind === 'bad' ? BAD_MS : WORD_MS);
}

export function unsay(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}

/** The next text for screen readers. The page has one live region for it, whichever panel is visible. */
export const announced = signal('');

export function announce(text: string): void {
  announced.value = text;
}
