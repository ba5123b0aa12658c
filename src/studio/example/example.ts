import { effect } from '@preact/signals';
import { fileCame } from '../document/media-commands.ts';
import type { MediaEntry } from '../document/project.ts';
import { projectId, startProject } from '../keeping/autosave.ts';
import { startWorker } from '../kit/assets.ts';
import { say } from '../kit/messages.ts';
import { examine } from '../media/import-files.ts';
import { keepOrHold } from '../media/media-store.ts';
import { thumbCame } from '../media/thumb.tsx';
import { complete, decided, face, playhead, posterAt, readOnly } from '../session/session.ts';
import * as texts from '../texts/en/import.ts';
import { EXAMPLE_FILES, exampleDocuments, pendingHash } from './example-documents.ts';

/** Two workers: one for the cards, one for the backgrounds. The music takes as long as all pictures together, so it is last. */
const SHARES = [Object.keys(EXAMPLE_FILES).slice(0, 9), ['orbit_view', 'robot_host', 'star_flight', 'music']] as const;

/** From the worker: a small picture first, then the file. */
type Drawn = { readonly name: string } & ({ readonly draft: Blob } | { readonly file: Blob });

/** A frame with something to see, and the one of the poster. */
const FIRST_FRAME = 480;

/** Starts the example. It can be edited at once, while its pictures are being drawn. */
export async function startExample(): Promise<void> {
  await startProject(exampleDocuments(), {
    view: () => {
      face.value = 'preview';
      posterAt.value = playhead.value = FIRST_FRAME;
    },
  });
}

/** Draws the missing files of every project that is opened from now on, also those that a reload interrupted. */
export function drawWhatIsComing(): void {
  let drawing: string | null = null;
  effect(() => {
    const { coming } = decided.value.studio;
    const id = projectId.value;
    if (coming === undefined || readOnly.value || drawing === id) return;
    drawing = id;
    const fields = Object.keys(coming);
    for (const field of fields) if (!(field in EXAMPLE_FILES)) give(id, field, null);
    const shares = SHARES.map((share) => share.filter((field) => fields.includes(field)));
    void Promise.all(shares.map((share) => drawFiles(share, id))).then(() => {
      if (drawing === id) drawing = null;
    });
  });
}

function give(id: string, field: string, entry: MediaEntry | null): void {
  if (projectId.peek() === id) complete((draft) => fileCame(draft, field, entry));
}

async function drawFiles(fields: readonly string[], id: string): Promise<void> {
  if (fields.length === 0) return;
  const worker = startWorker('example-worker');
  const left = new Set(fields);
  try {
    await new Promise<void>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Drawn>) => {
        const { name } = data;
        const field = fields.find((each) => EXAMPLE_FILES[each] === name)!;
        if ('draft' in data) {
          thumbCame(pendingHash(field), 'still', data.draft);
          return;
        }
        takeIn(name, data.file).then((entry) => {
          give(id, field, entry);
          left.delete(field);
          if (left.size === 0) resolve();
        }, reject);
      });
      worker.addEventListener('error', reject);
      worker.postMessage(fields.map((field) => EXAMPLE_FILES[field]));
    });
  } catch {
    for (const field of left) give(id, field, null);
    say(texts.exampleNotDrawn, 'bad');
  } finally {
    worker.terminate();
  }
}

async function takeIn(name: string, file: Blob): Promise<MediaEntry> {
  const found = await examine(file);
  if ('fault' in found) throw new Error(found.fault);
  await keepOrHold(found.hash, file, found.thumb);
  thumbCame(found.hash, found.facts.kind, found.thumb);
  return { ...found.facts, hash: found.hash, name, bytes: file.size, type: file.type };
}
