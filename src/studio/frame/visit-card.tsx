import type { ComponentChildren } from 'preact';
import { focusSoon } from '../keys/move-focus.ts';
import { isReachedByKey } from '../kit/reached-by-key.ts';

interface CardProps {
  readonly name: string;
  readonly note: string;
  readonly run: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** A card of the first visit that opens something. */
export function Card({ name, note, run, children }: CardProps) {
  return (
    <li>
      <button
        type="button"
        class="visit-card"
        onClick={async () => {
          const byKeys = isReachedByKey();
          await run();
          if (byKeys) focusSoon('.pv-play', '.tile[tabindex="0"]', '.tl-list');
        }}
      >
        {children}
        <b>{name}</b>
        <small class="q">{note}</small>
      </button>
    </li>
  );
}
