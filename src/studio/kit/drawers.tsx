import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import * as texts from '../texts/en/page.ts';
import { Icon } from './icon.tsx';

/** On narrow windows, media and inspector are drawers over the centre, one open at a time. */
type Drawer = 'media' | 'details';

export const drawer = signal<Drawer | null>(null);

const PANELS = {
  media: { icon: 'picture', words: texts.media, close: texts.closeMedia, selector: '.bin' },
  details: { icon: 'gear', words: texts.details, close: texts.closeDetails, selector: '.insp' },
} as const;

/** The buttons that open the drawers; hidden on wide windows. */
export function DrawerButtons() {
  return (
    <span class="drawer-buttons">
      {(['media', 'details'] as const).map((name) => (
        <button
          key={name}
          type="button"
          class="ib"
          data-drawer={name}
          aria-label={PANELS[name].words}
          title={PANELS[name].words}
          aria-expanded={drawer.value === name}
          onClick={() => {
            drawer.value = drawer.value === name ? null : name;
          }}
        >
          <Icon name={PANELS[name].icon} />
          <span class="ib-name">{PANELS[name].words}</span>
        </button>
      ))}
    </span>
  );
}

/** The area beside an open drawer. A press on it or Escape closes the drawer. The focus moves into the drawer, and back on close. */
export function DrawerScrim() {
  const { value: open } = drawer;
  // A form in place of the panels has no drawers.
  useEffect(() => close, []);
  useEffect(() => {
    if (open === null) return;
    const before = document.activeElement;
    document.querySelector<HTMLElement>(`${PANELS[open].selector} :is(button, input, select)`)?.focus();
    const ended = new AbortController();
    // Also in a field, unless the field handles Escape itself.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    addEventListener('keydown', onEscape, { signal: ended.signal });
    return () => {
      ended.abort();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [open]);
  if (open === null) return null;
  return <button type="button" class="scrim" aria-label={PANELS[open].close} onClick={close} />;
}

function close(): void {
  drawer.value = null;
}
