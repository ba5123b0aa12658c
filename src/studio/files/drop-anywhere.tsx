import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { takesText } from '../keys/keys.ts';
import { later } from '../kit/later.tsx';
import { tableOpen } from '../session/session.ts';
import * as texts from '../texts/en/page.ts';
import { droppedFiles, takeFiles } from './take-files.ts';

/**
 * Accepts dropped and pasted files anywhere on the page, with a hint while they hover. Copied entries and lists of names can be pasted
 * too.
 */
export function DropAnywhere() {
  const over = useSignal(false);
  const overTimeline = useSignal(false);
  useEffect(() => {
    const ended = new AbortController();
    const on = { signal: ended.signal };
    let depth = 0;
    // A picture dragged from another page arrives as its URL.
    // The table takes what is dropped while it is open.
    const isTaken = ({ dataTransfer }: DragEvent) =>
      !tableOpen.value && dataTransfer?.types.some((type) => type === 'Files' || type === 'text/uri-list') === true;
    addEventListener(
      'dragenter',
      (event) => {
        if (!isTaken(event)) return;
        depth += 1;
        over.value = true;
      },
      on,
    );
    addEventListener(
      'dragleave',
      (event) => {
        if (!isTaken(event)) return;
        depth -= 1;
        if (depth <= 0) over.value = false;
      },
      on,
    );
    addEventListener(
      'dragover',
      (event) => {
        if (!isTaken(event)) return;
        event.preventDefault();
        // The timeline has its own drop indicator.
        overTimeline.value = event.target instanceof Element && event.target.closest('.tl-canvas') !== null;
      },
      on,
    );
    addEventListener(
      'drop',
      (event) => {
        depth = 0;
        over.value = false;
        if (!isTaken(event) || event.defaultPrevented) return;
        event.preventDefault();
        const transfer = event.dataTransfer!;
        // Before the first await: the data is valid only during the event.
        const addresses = transfer.getData('text/uri-list');
        void droppedFiles(transfer).then((files) =>
          files.length > 0 ? takeFiles(files) : clipboard().then(({ pasteText }) => pasteText(addresses)),
        );
      },
      on,
    );
    addEventListener(
      'paste',
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (tableOpen.value || takesText(event.target) || (files.length === 0 && text.trim() === '')) return;
        event.preventDefault();
        void (files.length > 0 ? takeFiles(files) : clipboard().then(({ pasteText }) => pasteText(text)));
      },
      on,
    );
    const copied = (how: 'copySelected' | 'cutSelected') => (event: ClipboardEvent) => {
      // Selected text on the page is copied as text.
      const isMarked = getSelection()?.isCollapsed === false;
      if (tableOpen.value || takesText(event.target) || isMarked || event.defaultPrevented) return;
      const loaded = loadedClipboard();
      // Shortly after the page load. The event cannot wait, so the text is written to the clipboard separately.
      if (loaded === null) void clipboard().then((late) => late.copyByMenu(late[how]));
      const text = loaded?.[how]() ?? null;
      if (text === null) return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    addEventListener('copy', copied('copySelected'), on);
    addEventListener('cut', copied('cutSelected'), on);
    return () => ended.abort();
  }, [over, overTimeline]);
  if (!over.value || overTimeline.value) return null;
  return (
    <div class="drop-over" aria-hidden="true">
      <p>{texts.dropToAdd}</p>
    </div>
  );
}

type Clipboard = typeof import('./clipboard.ts');

let loaded: Clipboard | null = null;

/** Copy, cut, paste and duplicate are not in the first load. */
export const clipboard = later(async () => {
  loaded = await import('./clipboard.ts');
  return loaded;
});

/** Synchronous, since a copy event cannot wait. null if it is not loaded yet. */
function loadedClipboard(): Clipboard | null {
  return loaded;
}
