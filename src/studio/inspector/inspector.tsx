import { shownLater } from '../shell/later.tsx';

const Panel = shownLater(async () => (await import('./panel.tsx')).Panel);

/** Details of what is chosen; of the video where nothing is. */
export function Inspector() {
  return (
    <aside class="insp" aria-label="Details">
      <Panel />
    </aside>
  );
}
