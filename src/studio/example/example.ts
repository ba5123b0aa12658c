import { startWorker } from '../assets.ts';
import type { MediaEntry, Project } from '../document/project.ts';
import { startProject } from '../keeping/autosave.ts';
import { examine } from '../media/import-files.ts';
import { keepMedia } from '../media/media-store.ts';
import { thumbCame } from '../media/thumbs.ts';
import { EXAMPLE_FILES, exampleDocuments } from './example-documents.ts';

/** What everybody meets first: made here and now, and theirs to change. */
export async function exampleProject(): Promise<Project> {
  const fields = Object.keys(EXAMPLE_FILES);
  // The music takes as long as all pictures together.
  const shares = [['music', ...fields.slice(9, 12)], fields.slice(0, 9)];
  const made = await Promise.all(shares.map(makeFiles));
  const byField = new Map(made.flat());
  return exampleDocuments(Object.fromEntries(fields.map((field) => [field, byField.get(field)!])));
}

export async function startExample(): Promise<void> {
  await startProject(await exampleProject());
}

function makeFiles(fields: readonly string[]): Promise<readonly (readonly [string, MediaEntry])[]> {
  const worker = startWorker('example-worker');
  const names = new Map(fields.map((field) => [EXAMPLE_FILES[field]!, field]));
  const taken: Promise<readonly [string, MediaEntry]>[] = [];
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data: { name, file } }: MessageEvent<{ name: string; file: Blob }>) => {
      taken.push(takeIn(names.get(name)!, name, file));
      if (taken.length < fields.length) return;
      worker.terminate();
      Promise.all(taken).then(resolve, reject);
    });
    worker.addEventListener('error', () => reject(new Error('The example could not be drawn.')));
    worker.postMessage([...names.keys()]);
  });
}

async function takeIn(field: string, name: string, file: Blob): Promise<readonly [string, MediaEntry]> {
  const found = await examine(file);
  if ('fault' in found) throw new Error(found.fault);
  await keepMedia(found.hash, file, found.thumb);
  thumbCame(found.hash, found.facts.kind);
  return [field, { ...found.facts, hash: found.hash, name, bytes: file.size, type: file.type }];
}
