import { DEFAULT_ROWS } from '../document/row-presets.ts';
import { startExample } from '../example/start-example.ts';
import { chooseFiles, MEDIA_FILES, takeFiles } from '../files/take-files.ts';
import { openProjectFile } from '../keeping/files-of-projects.ts';
import { Icon } from '../kit/icon.tsx';
import * as texts from '../texts/en/late.ts';

/** Shown while a project is empty. */
export function FirstVisit() {
  return (
    <section class="first" aria-label={texts.start}>
      <div class="ebox">
        <div class="eboard" aria-hidden="true">
          {DEFAULT_ROWS.map(({ label, color }) => (
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
            <span class="by-mouse">{texts.dropPictures}</span>
            <span class="by-touch">{texts.beginWithPictures}</span>
          </h2>
          <p>{texts.startHelp}</p>
          <div class="ea">
            <button type="button" class="bt prim big" onClick={() => chooseFiles(MEDIA_FILES, takeFiles)}>
              <Icon name="plus" />
              {texts.chooseFiles}
            </button>
            <button
              type="button"
              class="bt big"
              onClick={() => chooseFiles('.json,.zip', ([file]) => file && openProjectFile(file))}
            >
              {texts.openProject}
            </button>
          </div>
          <p class="q">
            <span class="by-mouse">
              {texts.orPasteWith} <kbd>{texts.pasteKeys}</kbd>
              <span class="dot"> · </span>
            </span>
            <button type="button" class="lk" onClick={() => void startExample()}>
              {texts.startWithExample}
            </button>
          </p>
        </div>
      </div>
    </section>
  );
}
