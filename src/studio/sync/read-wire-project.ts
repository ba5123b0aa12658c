import '../kit/no-eval.ts';
import { readStored } from '../../timeline/project/project-media.ts';
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
  const older = Object.entries((document.media_refs ?? {}) as Readonly<Record<string, string>>);
  const places = Object.entries((document.media ?? {}) as Readonly<Record<string, unknown>>);
  const named = places.map(([field, place]) => [field, readStored(place)] as const);
  const references = [...older, ...named.filter((one): one is readonly [string, string] => one[1] !== null)];
  const paths = Object.fromEntries(references.map(([field]) => [field, `media/${field}`]));
  const others = places.filter(([, place]) => readStored(place) === null);
  const media = { ...paths, ...Object.fromEntries(others) };
  const { project } = readProjectText(JSON.stringify({ ...document, media }), studioConfig.limits);
  const known: Readonly<Record<string, MediaEntry>> = project.studio.media;
  // The defaults of fields.
  const ofFields = Object.entries(project.media).flatMap(([field, place]) => {
    const hash = readStored(place);
    return hash === null ? [] : [[field, hash] as const];
  });
  const inPaths = Object.fromEntries(ofFields.map(([field]) => [field, `media/${field}`]));
  return {
    project: ofFields.length === 0 ? project : { ...project, media: { ...project.media, ...inPaths } },
    unknown: Object.fromEntries([...references, ...ofFields].filter(([field]) => known[field] === undefined)),
  };
}
