import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { compareProjects, type Difference } from '../../document/compare-projects.ts';
import type { Project } from '../../document/project.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { decided } from '../../session/session.ts';
import { drawPicture } from '../../sync/project-picture.ts';
import { keepBoth, keepMine, keepTheirs } from '../../sync/start-sync.ts';
import { HOST, syncState } from '../../sync/sync-state.ts';
import { WORDS } from '../../sync/words.ts';
import { when } from './when.ts';

const PARTS: Readonly<Record<Difference['part'], readonly [string, string]>> = {
  title: ['the title', 'the title'],
  rows: ['row', 'rows'],
  items: ['item', 'items'],
  entries: ['entry of the timeline', 'entries of the timeline'],
  settings: ['setting', 'settings'],
  files: ['file', 'files'],
};

/** Both versions of a project that was changed in two places, and what becomes of them. */
export function ConflictDialog({ onClose }: { readonly onClose: () => void }) {
  const { value: state } = syncState;
  if (state?.step !== 'conflict') return null;
  const { theirs } = state;
  return (
    <Dialog title="Two versions of this project" subtitle={WORDS.conflict} class="small-dialog" onClose={onClose}>
      <p>Different: {differenceWords(compareProjects(decided.value, theirs.project))}.</p>
      <div class="versions-two">
        <Version name="In this browser" project={decided.value} at="open now">
          <button type="button" class="bt prim" onClick={() => void keepMine()}>
            Keep this one
          </button>
        </Version>
        <Version name={`On ${HOST}`} project={theirs.project} at={`saved ${when(theirs.savedAtMs)}`}>
          <button type="button" class="bt" onClick={() => void keepTheirs()}>
            Keep the one on {HOST}
          </button>
        </Version>
      </div>
      <div class="ea-row">
        <button type="button" class="bt" onClick={() => void keepBoth()}>
          Keep both: this one becomes a copy
        </button>
      </div>
    </Dialog>
  );
}

function differenceWords(differences: readonly Difference[]): string {
  const words = differences.map(({ part, count }) => {
    const [one, many] = PARTS[part];
    if (part === 'title') return one;
    return count === 1 ? `1 ${one}` : `${count} ${many}`;
  });
  return words.length === 0 ? 'nothing that is seen' : words.join(', ');
}

function Version(props: {
  readonly name: string;
  readonly project: Project;
  readonly at: string;
  readonly children: ComponentChildren;
}) {
  const { name, project, at, children } = props;
  const title = project.tier_list.title?.trim() || WORDS.untitled;
  return (
    <section class="pj" aria-label={name}>
      <Picture of={project} />
      <b>{name}</b>
      <span>{title}</span>
      <small class="q">
        {project.tier_list.items.length} items, {at}
      </small>
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
