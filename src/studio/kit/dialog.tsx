import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import * as texts from '../texts/en/page.ts';
import { IconButton } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly subtitle?: ComponentChildren;
  readonly class?: string;
  /** Beside the title. */
  readonly tools?: ComponentChildren;
  readonly closeLabel?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({
  title,
  subtitle,
  class: name,
  tools,
  closeLabel = texts.close,
  onClose,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // Restore the focus on close, unless it has already moved elsewhere.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name ?? ''}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-in">
        <header>
          <div>
            <h1 id={id}>{title}</h1>
            {subtitle !== undefined && <p class="q">{subtitle}</p>}
          </div>
          {tools}
          <IconButton icon="close" label={closeLabel} title={closeLabel} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
