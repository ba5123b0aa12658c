import { messageOf } from '../../errors.ts';
import { IconButton } from '../kit/icon.tsx';
import { type Fault, faults } from '../session/preview-faults.ts';
import { project } from '../session/session.ts';
import * as texts from '../texts/en/preview.ts';

const MOST = 3;
/** Messages about files that the person has closed: every format draws its pictures, and would report them again. */
const closed = new Set<string>();

/** What the preview cannot show, and why, in front of the picture: a black preview is never without a word. */
export function FaultBanner() {
  const { media } = project.value.studio;
  const lineOf = ({ why, hash }: Fault): string | null => {
    if (hash === undefined) return texts.crashed(reasonOf(why));
    const file = Object.values(media).find((entry) => entry.hash === hash);
    const line = file === undefined ? null : texts.fileFault(file.name, reasonOf(why));
    return line === null || closed.has(line) ? null : line;
  };
  const lines = [...new Set(faults.value.map(lineOf))].filter((line) => line !== null);
  if (lines.length === 0) return null;
  return (
    <div class="pv-faults" role="alert">
      <div>
        {lines.slice(-MOST).map((line) => (
          <p key={line}>{line}</p>
        ))}
        {lines.length > MOST ? <p>{texts.moreFaults(lines.length - MOST)}</p> : null}
      </div>
      <IconButton
        icon="close"
        label={texts.closeFaults}
        title={texts.closeFaults}
        onClick={() => {
          for (const fault of faults.value) if (fault.hash !== undefined) closed.add(lineOf(fault) ?? '');
          faults.value = [];
        }}
      />
    </div>
  );
}

function reasonOf(why: unknown): string {
  if (!(why instanceof Event)) return messageOf(why);
  // A script that cannot be loaded has no message.
  return why instanceof ErrorEvent && why.message !== '' ? why.message : texts.workerNotLoaded;
}
