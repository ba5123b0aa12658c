import { USUAL_ROWS } from '../document/board/row-presets.ts';
import { startExample } from '../example/start-example.ts';
import { chooseFiles, MEDIA_FILES } from '../files/choose-files.ts';
import { takeFiles } from '../files/take-files.ts';
import { openProjectFile } from '../keeping/files-of-projects.ts';
import { Icon } from '../kit/icon.tsx';

/** Where a project has nothing yet. */
export function FirstVisit() {
  return (
    <section class="first" aria-label="Start">
      <div class="ebox">
        <div class="eboard" aria-hidden="true">
          {USUAL_ROWS.map(({ label, color }) => (
            <div key={label} class="er" style={{ '--t': color }}>
              <b>{label}</b>
              {Array.from({ length: 6 }, (_, i) => (
                <i key={i} />
              ))}
            </div>
          ))}
        </div>
        <div class="etext">
          <h2>
            <span class="by-mouse">Drop your pictures here</span>
            <span class="by-touch">Begin with your pictures</span>
          </h2>
          <p>One picture becomes one item, named from its file. Clips and sound are welcome too.</p>
          <div class="ea">
            <button type="button" class="bt prim big" onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
              <Icon name="plus" />
              Choose files
            </button>
            <button
              type="button"
              class="bt big"
              onClick={() => chooseFiles('.json,.zip', ([file]) => file && openProjectFile(file))}
            >
              Open a project
            </button>
          </div>
          <p class="q">
            <span class="by-mouse">
              or paste with <kbd>Ctrl</kbd> <kbd>V</kbd>
              <span class="dot"> · </span>
            </span>
            <button type="button" class="lk" onClick={() => void startExample()}>
              start with the example
            </button>
          </p>
        </div>
      </div>
    </section>
  );
}
