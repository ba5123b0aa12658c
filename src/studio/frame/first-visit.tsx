import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { startExample, startTemplate } from '../example/start-example.ts';
import { chooseFiles, MEDIA_FILES, takeFiles } from '../files/take-files.ts';
import { keptProjects, lookAgain, projectId } from '../keeping/autosave.ts';
import { studioConfig } from '../kit/assets.ts';
import { Icon, type IconName, Logo } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { whereFilesAre } from '../session/may-send.ts';
import { openTake } from '../session/open-take.ts';
import { asked } from '../sync/sync-state.ts';
import * as texts from '../texts/en/first-visit.ts';
import * as page from '../texts/en/page.ts';
import { Card } from './visit-card.tsx';

const PasteList = shownLater(async () => (await import('./paste-list.tsx')).PasteList);
const KeptCard = shownLater(async () => (await import('./kept-card.tsx')).KeptCard);

/** More than these are in the dialog of all projects. */
const SHOWN_PROJECTS = 7;
/** What a new user drops or chooses first: media, or a project. */
const ANY_FILES = `.json,.zip,${MEDIA_FILES}`;

/** Shown in place of the editor until something is in the project: the ways to begin, and the projects of this browser. */
export function FirstVisit({ notes }: { readonly notes: ComponentChildren }) {
  const isPasting = useSignal(false);
  useEffect(() => void lookAgain(), []);
  return (
    <>
      <header class="top">
        <span class="brand">
          <Logo />
          <span>{page.brand}</span>
        </span>
        <div class="end">
          <button type="button" class="bt" onClick={() => chooseFiles(ANY_FILES, takeFiles)}>
            {texts.openFile}
          </button>
          <a class="bt" href={studioConfig.docs.studio} target="_blank" rel="noreferrer">
            {texts.help}
          </a>
        </div>
      </header>
      {notes}
      <main class="first">
        <div>
          <h1>{texts.whatToRank}</h1>
          <p class="q">
            <span class="by-mouse">{texts.dropAnywhere}</span> {whereFilesAre()}
          </p>
          <div class="starts">
            <Start
              icon="picture"
              of="pictures"
              name={texts.rankPictures}
              help={texts.rankPicturesHelp}
              run={() => chooseFiles(MEDIA_FILES, takeFiles)}
            />
            <Start icon="record" of="take" name={page.recordTake} help={texts.recordTakeHelp} run={openTake} />
            <Start
              icon="order"
              of="list"
              name={texts.pasteList}
              help={texts.pasteListHelp}
              run={() => {
                isPasting.value = true;
              }}
            />
          </div>
          <Templates />
          <Projects />
        </div>
      </main>
      {isPasting.value && (
        <PasteList
          onClose={() => {
            isPasting.value = false;
          }}
        />
      )}
    </>
  );
}

interface StartProps {
  readonly icon: IconName;
  readonly of: string;
  readonly name: string;
  readonly help: string;
  readonly run: () => unknown;
}

function Start({ icon, of, name, help, run }: StartProps) {
  return (
    <button type="button" class="start" data-start={of} onClick={() => void run()}>
      <span class="start-icon">
        <Icon name={icon} />
      </span>
      <b>{name}</b>
      <span class="q">{help}</span>
    </button>
  );
}

/** Colours of the cards. */
const TEMPLATES: readonly (readonly [texts.TemplateName, color: string])[] = [
  ['weekly', '#2b3350'],
  ['top-five', '#5a2bb0'],
  ['versus', '#8a1f3a'],
];

function Templates() {
  return (
    <>
      <h2>{texts.startFromTemplate}</h2>
      <ul class="visit-cards">
        {TEMPLATES.map(([name, color]) => (
          <Card key={name} name={texts.templates[name].name} note={texts.template} run={() => startTemplate(name)}>
            <i class="pj-picture visit-template" style={{ '--c': color }} aria-hidden="true">
              {texts.templates[name].shown}
            </i>
          </Card>
        ))}
      </ul>
    </>
  );
}

/** The projects of this browser, and the example. */
function Projects() {
  const others = keptProjects.value.filter(({ id }) => id !== projectId.value);
  const hasExample = others.some(({ project }) => project.media.robot_host !== undefined);
  return (
    <>
      <h2>{others.length === 0 ? texts.lookAtExample : texts.yours}</h2>
      <ul class="visit-cards" data-of="projects">
        {others.slice(0, SHOWN_PROJECTS).map((kept) => (
          <KeptCard key={kept.id} kept={kept} />
        ))}
        {!hasExample && (
          <Card name={texts.exampleName} note={texts.theExample} run={startExample}>
            <i class="pj-picture visit-example" />
          </Card>
        )}
      </ul>
      {/* The service may have some that this browser does not know. */}
      <button
        type="button"
        class="bt"
        onClick={() => {
          asked.value = 'projects';
        }}
      >
        <Icon name="folder" />
        {texts.allProjects}
      </button>
    </>
  );
}
