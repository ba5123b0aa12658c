import '../kit/no-eval.ts';
import type { MediaEntry, Project } from '../document/project.ts';
import { readProjectText } from '../document/project-text.ts';
import { studioConfig } from '../kit/assets.ts';

/** A project of the service, and the files for which it has only a reference, because another program stored it. */
export interface ReadWireProject {
  readonly project: Project;
  readonly unknown: Readonly<Record<string, string>>;
}

/** @throws ExportError if it is not a project. */
export function readWireProject(document: Readonly<Record<string, unknown>>): ReadWireProject {
  const references = Object.entries((document.media_refs ?? {}) as Readonly<Record<string, string>>);
  const paths = Object.fromEntries(references.map(([field]) => [field, `media/${field}`]));
  const media = { ...paths, ...(document.media as object | undefined) };
  const { project } = readProjectText(JSON.stringify({ ...document, media }), studioConfig.limits);
  const known: Readonly<Record<string, MediaEntry>> = project.studio.media;
  return { project, unknown: Object.fromEntries(references.filter(([field]) => known[field] === undefined)) };
}
