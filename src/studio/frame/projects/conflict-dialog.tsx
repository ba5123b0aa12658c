import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { compareProjects } from '../../document/compare-projects.ts';
import type { Project } from '../../document/project.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { decided } from '../../session/session.ts';
import { drawPicture } from '../../sync/project-picture.ts';
import { keepBoth, keepMine, keepTheirs } from '../../sync/start-sync.ts';
import { HOST, syncState } from '../../sync/sync-state.ts';
import * as page from '../../texts/en/page.ts';
import * as texts from '../../texts/en/projects.ts';
import { when } from './when.ts';

/** Shows both versions of a project that was changed in two places, and lets the user choose. */
export function ConflictDialog({ onClose }: { readonly onClose: () => void }) {
  const { value: state } = syncState;
  if (state?.step !== 'conflict') return null;
  const { theirs } = state;
  const parts = compareProjects(decided.value, theirs.project).map(({ part, count }) =>
    texts.differentParts[part](count),
  );
  return (
    <Dialog title={texts.twoVersionsOfThis} subtitle={texts.changedTwice} class="small-dialog" onClose={onClose}>
      <p>{texts.different(parts)}</p>
      <div class="versions-two">
        <Version name={texts.inThisBrowser} project={decided.value} facts={texts.versionOpen}>
          <button type="button" class="bt prim" onClick={() => void keepMine()}>
            {texts.keepThis}
          </button>
        </Version>
        <Version
          name={texts.versionOn(HOST)}
          project={theirs.project}
          facts={(items) => texts.versionSaved(items, when(theirs.savedAtMs))}
        >
          <button type="button" class="bt" onClick={() => void keepTheirs()}>
            {texts.keepTheirs(HOST)}
          </button>
        </Version>
      </div>
      <div class="ea-row">
        <button type="button" class="bt" onClick={() => void keepBoth()}>
          {texts.keepBoth}
        </button>
      </div>
    </Dialog>
  );
}

function Version(props: {
  readonly name: string;
  readonly project: Project;
  readonly facts: (items: string) => string;
  readonly children: ComponentChildren;
}) {
  const { name, project, facts, children } = props;
  const title = project.tier_list.title?.trim() || page.untitled;
  return (
    <section class="pj" aria-label={name}>
      <Picture of={project} />
      <b>{name}</b>
      <span>{title}</span>
      <small class="q">{facts(texts.items(project.tier_list.items.length))}</small>
      {children}
    </section>
  );
}

function Picture({ of }: { readonly of: Project }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let drawn: string | null = null;
    void drawPicture(of).then((picture) => {
      drawn = picture && URL.createObjectURL(picture);
      setUrl(drawn);
    });
    return () => {
      if (drawn !== null) URL.revokeObjectURL(drawn);
    };
  }, [of]);
  return url === null ? <span class="pj-picture" /> : <img class="pj-picture" src={url} alt="" />;
}
