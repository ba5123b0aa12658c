import { useLayoutEffect, useRef } from 'preact/hooks';
import { shownKey } from '../keys/shown-key.ts';
import { menuOpen } from '../kit/context-menu.ts';
import { Icon } from '../kit/icon.tsx';
import { byArrows, MenuItem, menuItems } from '../kit/menu.tsx';
import { commandsFor } from './commands.ts';

/**
 * The menu opens at the pointer. It closes itself, since a browser's light dismiss would react to the release of the button that opened
 * it.
 */
export function ContextMenu() {
  const open = menuOpen.value!;
  const popover = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(document.activeElement);
  const close = () => {
    menuOpen.value = null;
  };
  useLayoutEffect(() => {
    const menu = popover.current!;
    menu.showPopover();
    const { width, height } = menu.getBoundingClientRect();
    const { x, y } = open.at;
    menu.style.setProperty('left', `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`);
    menu.style.setProperty('top', `${Math.max(8, y + height > innerHeight - 8 ? y - height : y)}px`);
    menuItems(menu)[0]?.focus();
  }, [open]);
  // A layout effect: a key can come before the next paint.
  useLayoutEffect(() => {
    const ended = new AbortController();
    const on = { signal: ended.signal, capture: true };
    const isOutside = (event: Event) => !popover.current?.contains(event.target as Node);
    addEventListener('pointerdown', (event) => isOutside(event) && close(), on);
    addEventListener('wheel', (event) => isOutside(event) && close(), on);
    addEventListener('resize', close, on);
    // After a touch, the focus may be outside the menu.
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' && event.key !== 'Tab') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      },
      on,
    );
    addEventListener('blur', (event) => event.target === window && close(), on);
    return () => ended.abort();
  }, []);
  // A layout effect for the same reason: the next key must find the right focus.
  useLayoutEffect(() => {
    const menu = popover.current!;
    return () => {
      const { activeElement } = document;
      // A command may have moved the focus elsewhere.
      const isLost = activeElement === document.body || menu.contains(activeElement);
      if (isLost && before.current instanceof HTMLElement) before.current.focus();
    };
  }, []);
  const { words, commands } = commandsFor(open.target);
  return (
    <div
      ref={popover}
      popover="manual"
      class="menu context-menu"
      role="menu"
      aria-label={words}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={byArrows}
    >
      {commands.map(({ label, key, icon, off, run, apart }) => (
        <MenuItem
          key={label}
          role="menuitem"
          class={apart ? 'apart' : ''}
          disabled={off ?? false}
          onClick={() => {
            close();
            run();
          }}
        >
          {icon === undefined ? <i class="i" /> : <Icon name={icon} />}
          <span>{label}</span>
          {key !== undefined && <kbd>{shownKey(key).join(' ')}</kbd>}
        </MenuItem>
      ))}
    </div>
  );
}
