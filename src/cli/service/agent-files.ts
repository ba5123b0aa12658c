import type { VideoRequest } from '../../../packages/client/src/client.ts';
import { saveTo } from '../../../packages/client/src/node.ts';
import { jsonLimits, readConfig } from '../../config/config.ts';
import { ExportError } from '../../errors.ts';
import type { AgentFiles, SentDocuments } from '../../mcp/tool.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { readJson } from '../../timeline/json/json-text.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { readSha256 } from '../../timeline/media-references.ts';
import { isWebAddress, readStored } from '../../timeline/project/project-media.ts';
import { DOCUMENT_FIELDS } from '../../timeline/request-documents.ts';
import { type AllowedFolders, alreadyThere } from './allowed-folders.ts';

/** Files of this machine that an agent may use. (H54) */
export function agentFiles(folders: AllowedFolders): AgentFiles {
  return {
    request: (sent) => readRequest(sent, folders),
    source: (path) => folders.source(path, folders.scope),
    requireTarget: async (path, overwrite) => void (await folders.target(path, overwrite)),
    save: async (path, video, { overwrite, signal }) => {
      const target = await folders.target(path, overwrite);
      await saveTo(target, video, { signal, overwrite }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? alreadyThere(path) : error;
      });
    },
  };
}

/** The request of an agent; files are read from allowed folders of this machine, or fetched by the service. */
async function readRequest(
  { file, media = {}, ...inline }: SentDocuments,
  folders: AllowedFolders,
): Promise<VideoRequest> {
  const { project, scope } = file === undefined ? { project: {}, scope: folders.scope } : await read(file, folders);
  const places = { ...mediaOf(project, 'media'), ...mediaOf(project, 'media_refs'), ...media };
  const sources = Object.entries(places).map(async ([field, where]) => {
    const stored = readStored(where) ?? readSha256(where);
    if (stored !== null) return [field, { media: stored }] as const;
    if (isWebAddress(where)) return [field, { url: where }] as const;
    return [field, await folders.source(where, scope).catch(at(pointer('/media', field)))] as const;
  });
  const { tier_list = {}, timeline_data = {}, settings } = { ...project, ...inline } as Partial<VideoRequest>;
  return {
    tier_list,
    timeline_data,
    ...(settings && { settings }),
    media: Object.fromEntries(await Promise.all(sources)),
  };
}

/** The same error with its place. */
function at(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ExportError)) throw error;
    throw new ExportError(error.kind, error.code, error.message, { path, cause: error });
  };
}

type Project = Readonly<Record<string, unknown>>;

/** A project file. Only a file that holds documents is one: the folder of any other stays closed. */
async function read(file: string, folders: AllowedFolders) {
  const limits = jsonLimits(readConfig());
  const { text, scope } = await folders.readProject(file, limits.maxBytes);
  const none = `${shownText(file)} is no project file: a JSON object with tier_list or timeline_data.`;
  // An error of JSON quotes the text, which must not be that of any file.
  if (!text.trimStart().startsWith('{')) throw new ExportError('malformed', 'project.not_an_object', none);
  const reading = readJson(text, limits);
  if ('fault' in reading) {
    const { kind, code, path, message } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const project = reading.value;
  if (isObject(project) && DOCUMENT_FIELDS.some((field) => Object.hasOwn(project, field))) return { project, scope };
  throw new ExportError('malformed', 'project.not_an_object', none);
}

function mediaOf(project: Project, name: 'media' | 'media_refs'): Readonly<Record<string, string>> {
  const media = project[name] ?? {};
  if (isObject(media) && Object.values(media).every((where) => typeof where === 'string')) {
    return media as Record<string, string>;
  }
  throw new ExportError('invalid', 'project.media', `${name} must be an object from file_field to text.`, {
    path: `/${name}`,
  });
}
