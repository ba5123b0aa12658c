import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { titleOf } from '../document/template.ts';
import { startExample, startTemplate } from '../example/start-example.ts';
import { chooseFiles, MEDIA_FILES, takeFiles, takeList } from '../files/take-files.ts';
import { keptProjects, lookAgain, projectId, reopen } from '../keeping/autosave.ts';
import type { KeptProject } from '../keeping/kept-project.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Icon, type IconName, Logo } from '../kit/icon.tsx';
import { isReachedByKey } from '../kit/reached-by-key.ts';
import { whereFilesAre } from '../session/may-send.ts';
import { openTake } from '../session/open-take.ts';
import { drawPicture } from '../sync/project-picture.ts';
import { asked } from '../sync/sync-state.ts';
import * as texts from '../texts/en/late.ts';
import * as page from '../texts/en/page.ts';
import * as projectTexts from '../texts/en/projects.ts';
import * as series from '../texts/en/series.ts';

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
          <a class="bt" href="/docs/start/studio" target="_blank" rel="noreferrer">
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
const TEMPLATES: readonly (readonly [series.TemplateName, color: string])[] = [
  ['weekly', '#2b3350'],
  ['top-five', '#5a2bb0'],
  ['versus', '#8a1f3a'],
];

function Templates() {
  return (
    <>
      <h2>{series.startFromTemplate}</h2>
      <ul class="visit-cards">
        {TEMPLATES.map(([name, color]) => (
          <Card
            key={name}
            name={series.templates[name].name}
            note={series.template.toLowerCase()}
            run={() => startTemplate(name)}
          >
            <i class="pj-picture visit-template" style={{ '--c': color }} aria-hidden="true">
              {series.templates[name].shown}
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
        {projectTexts.allProjects}
      </button>
    </>
  );
}

function KeptCard({ kept: { id, project, changedAtMs, picture } }: { readonly kept: KeptProject }) {
  const url = useSignal<string | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const show = (drawn: Blob | null) => {
      if (drawn === null || ended.signal.aborted) return;
      const made = URL.createObjectURL(drawn);
      ended.signal.addEventListener('abort', () => URL.revokeObjectURL(made));
      url.value = made;
    };
    if (picture !== undefined) show(picture);
    else void drawPicture(project).then(show);
    return () => ended.abort();
  }, [picture]);
  const name = titleOf(project) ?? page.untitled;
  return (
    <Card name={name} note={ago(changedAtMs)} run={() => reopen(id)}>
      {url.value === null ? <i class="pj-picture" /> : <img class="pj-picture" src={url.value} alt="" />}
    </Card>
  );
}

interface CardProps {
  readonly name: string;
  readonly note: string;
  readonly run: () => Promise<void>;
  readonly children: ComponentChildren;
}

function Card({ name, note, run, children }: CardProps) {
  return (
    <li>
      <button
        type="button"
        class="visit-card"
        onClick={async () => {
          const byKeys = isReachedByKey();
          await run();
          if (byKeys) focusSoon('.pv-play', '.tile[tabindex="0"]', '.tl-list');
        }}
      >
        {children}
        <b>{name}</b>
        <small class="q">{note}</small>
      </button>
    </li>
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `2 minutes ago`. */
function ago(ms: number): string {
  const seconds = Math.max(0, Date.now() - ms) / 1000;
  const [unit, length] = UNITS.find((each) => seconds >= each[1]) ?? ['minute', 60];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(seconds / length), unit);
}

/** Names or a table, as text. */
function PasteList({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const text = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog title={texts.pasteList} subtitle={texts.pasteListMore} class="small-dialog" onClose={onClose}>
      <form
        class="paste-list"
        onSubmit={async (event) => {
          event.preventDefault();
          onClose();
          await takeList(text.value);
          focusSoon('.tile[tabindex="0"]');
        }}
      >
        <label for={id}>{texts.namesOrTable}</label>
        <textarea
          class="area"
          ref={field}
          id={id}
          rows={10}
          required
          placeholder={texts.namesExample}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="bt prim">
          {texts.addItems}
        </button>
      </form>
    </Dialog>
  );
}
