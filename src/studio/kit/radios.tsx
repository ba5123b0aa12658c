import type { ComponentChildren } from 'preact';
import { isReachedByKey } from './reached-by-key.ts';
import { tabStop } from './tab-stop.ts';

export interface Choice<V> {
  readonly value: V;
  readonly words: ComponentChildren;
  readonly disabled?: boolean;
}

interface RadiosProps<V> {
  readonly label: string;
  readonly class: string;
  /** The class of each button. */
  readonly each?: string;
  readonly value: V;
  readonly choices: readonly Choice<V>[];
  readonly onChoose: (value: V) => void;
  /** The choice that the mouse is on; null when it leaves all of them, and before one is chosen. */
  readonly onPoint?: ((value: V | null) => void) | undefined;
}

/** A radio group of adjacent buttons. Tab focuses the selected one, arrow keys select another. */
export function Radios<V extends string | boolean>(props: RadiosProps<V>) {
  const { label, class: name, each, value, choices, onChoose, onPoint } = props;
  const stop = tabStop(choices, value);
  return (
    <div class={name} role="radiogroup" aria-label={label} onKeyDown={byArrows} onPointerLeave={() => onPoint?.(null)}>
      {choices.map((choice) => (
        <button
          key={String(choice.value)}
          type="button"
          role="radio"
          class={each}
          aria-checked={choice.value === value}
          tabIndex={choice.value === stop ? 0 : -1}
          disabled={choice.disabled ?? false}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onPoint?.(choice.value)}
          onClick={() => {
            onPoint?.(null);
            onChoose(choice.value);
          }}
        >
          {choice.words}
        </button>
      ))}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function byArrows(event: KeyboardEvent): void {
  const group = event.currentTarget as HTMLElement;
  // In a menu, the up and down keys move from item to item.
  const isOfMenu = /^Arrow(Up|Down)$/.test(event.key) && group.closest('[popover]') !== null;
  const step = isOfMenu ? undefined : STEPS[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // Arrow keys otherwise move the playhead, also after a click here.
  if (!isReachedByKey()) return;
  event.preventDefault();
  const radios = [...group.querySelectorAll<HTMLButtonElement>('[role=radio]:enabled')];
  const at = radios.indexOf(event.target as HTMLButtonElement);
  const next = radios[(at + step + radios.length) % radios.length];
  next?.focus();
  next?.click();
}
