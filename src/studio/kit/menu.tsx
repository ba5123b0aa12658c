import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { isReachedByKey } from './reached-by-key.ts';

interface MenuProps {
  /** The content of the button. */
  readonly button: ComponentChildren;
  /** Accessible name; needed if the button has no text. */
  readonly label?: string;
  readonly class?: string;
  /** A function is called for content that is needed only while the menu is open. */
  readonly children: ComponentChildren | (() => ComponentChildren);
  /** Called when the menu opens, so that its content can be updated. */
  readonly onOpen?: () => void;
  readonly onPointerDown?: (event: PointerEvent) => void;
}

/** A button that opens a popover beside itself. The browser closes it on Escape or a click outside. */
export function Menu({ button, label, class: name, children, onOpen, onPointerDown }: MenuProps) {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const sizes = useRef<ResizeObserver>(null);
  const place = (event: { readonly newState: string }) => {
    sizes.current?.disconnect();
    setIsOpen(event.newState === 'open');
    if (event.newState !== 'open') return;
    onOpen?.();
    // The popover does not follow its button, which a resize may move off the screen.
    addEventListener('resize', () => popover.current?.hidePopover(), { once: true });
    let movesFocus = isReachedByKey();
    // Its size decides the position, and content may load while it is open.
    sizes.current = new ResizeObserver(() => {
      besideAnchor(popover.current!, anchor.current!);
      const first = menuItems(popover.current!)[0];
      if (!movesFocus || first === undefined) return;
      movesFocus = false;
      first.focus();
    });
    sizes.current.observe(popover.current!);
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class={name}
        popovertarget={id}
        aria-haspopup="true"
        {...(label !== undefined && { 'aria-label': label, title: label })}
        {...(onPointerDown !== undefined && { onPointerDown })}
      >
        {button}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        class="menu"
        onBeforeToggle={place}
        onKeyDown={byArrows}
        onClick={(event) => {
          if ((event.target as Element).closest('[data-closes]') !== null) popover.current?.hidePopover();
        }}
      >
        {typeof children === 'function' ? isOpen && children() : children}
      </div>
    </>
  );
}

/** A menu item that runs an action and closes the menu. */
export function MenuItem(props: {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly role?: 'menuitem';
}) {
  const { children, disabled = false, class: name = '', ...rest } = props;
  return (
    <button type="button" class={`mi ${name}`} data-closes disabled={disabled} {...rest}>
      {children}
    </button>
  );
}

export function menuItems(popover: HTMLElement): HTMLElement[] {
  return [...popover.querySelectorAll<HTMLElement>('button:enabled, summary, input')].filter((each) =>
    each.checkVisibility(),
  );
}

/** The up and down keys move through the menu, as Tab does. */
export function byArrows(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || event.defaultPrevented) return;
  event.preventDefault();
  const lines = menuItems(event.currentTarget as HTMLElement);
  lines[(lines.indexOf(event.target as HTMLElement) + step + lines.length) % lines.length]?.focus();
}

function besideAnchor(popover: HTMLElement, anchor: HTMLElement): void {
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const x = Math.max(8, Math.min(left, innerWidth - width - 8));
  const below = bottom + 6;
  const y = below + height > innerHeight - 8 ? Math.max(8, top - height - 6) : below;
  popover.style.setProperty('left', `${x}px`);
  popover.style.setProperty('top', `${y}px`);
}
