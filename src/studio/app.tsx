import { Board } from './board/board.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { Preview } from './preview/preview.tsx';
import { face } from './session.ts';
import { Timeline } from './timeline/timeline.tsx';

/** Things flow left (media), centre (result), right (details); time lies below. */
export function App() {
  return (
    <div class="app">
      <header class="top">
        <a class="brand" href="/studio">
          Tiercut
        </a>
      </header>
      <main class="work">
        <aside class="bin" aria-label="Media" />
        <section class="centre" aria-label="Board and preview">
          {face.value === 'board' ? <Board /> : <Preview />}
        </section>
        <aside class="insp" aria-label="Details">
          <Inspector />
        </aside>
      </main>
      <Timeline />
    </div>
  );
}
