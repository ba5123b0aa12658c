import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { titleOf } from '../document/template.ts';
import { reopen } from '../keeping/autosave.ts';
import type { KeptProject } from '../keeping/kept-project.ts';
import { drawPicture } from '../sync/project-picture.ts';
import * as page from '../texts/en/page.ts';
import { Card } from './visit-card.tsx';

/** A project of this browser, with its picture. */
export function KeptCard({ kept: { id, project, changedAtMs, picture } }: { readonly kept: KeptProject }) {
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
