import { signal } from '@preact/signals';
import type { LaneName } from '../../timeline/lanes.ts';
import type { Candidate } from '../document/field-places.ts';
import type { Point } from './drag-session.ts';

/** The target of a context menu. For entries, it is the selection. */
export type MenuTarget =
  | { readonly kind: 'entries' }
  | { readonly kind: 'lane'; readonly lane: LaneName; readonly role?: 'voice' | 'music' | undefined }
  | { readonly kind: 'item'; readonly id: string }
  | { readonly kind: 'row'; readonly id: string }
  | { readonly kind: 'media'; readonly field: string }
  | { readonly kind: 'preview' }
  /** A value of the inspector, and the fields that it may become. */
  | { readonly kind: 'field'; readonly candidates: readonly Candidate[] };

/** The open context menu and its position. `commands/` fills it. */
export const menuOpen = signal<{ readonly target: MenuTarget; readonly at: Point } | null>(null);

export function openMenu(target: MenuTarget, at: Point): void {
  menuOpen.value = { target, at };
}

/** For `onContextMenu`: a right click, Shift+F10 and the menu key all send this event. */
export function opensMenu(target: MenuTarget): (event: MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    event.stopPropagation();
    openMenu(target, { x: event.clientX, y: event.clientY });
  };
}
