import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { childAllowance, jsonLimits, mediaLimits, readConfig, timelineLimits } from '../../config/config.ts';
import { ExportError, type Issue } from '../../errors.ts';
import { ENGINE_VERSION } from '../../plan/keys/engine-version.ts';
import { MEDIA_KINDS, type MediaFactsByField } from '../../plan/model/media-facts.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { planRender } from '../../plan/plan-render.ts';
import { type FactsOrError, mentionedFields, resolveFacts } from '../../plan/resolve-facts.ts';
import { planThumbnail, type ThumbnailPlan } from '../../plan/thumbnail-plan.ts';
import { sha256 } from '../../platform/sha256.ts';
import { type Probed, RenderHost } from '../../sandbox/render-host.ts';
import type { ExportRequest } from '../../timeline/export-request.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { JsonLimits } from '../../timeline/json/json-text.ts';
import { shownText } from '../../timeline/json/shown-value.ts';
import { parseRequest } from '../../timeline/parse/parse-request.ts';
import { findPreset, type Preset, presetNames } from '../../timeline/presets.ts';
import type { WantedThumbnail } from '../../timeline/wanted-fields.ts';
import { KnownMedia } from './known-media.ts';
import {
  type ProjectFile,
  readJsonFile,
  readProjectFile,
  readProjectSubtitles,
  unreadableReason,
} from './project-file.ts';
import type { WebMedia } from './web-media.ts';

/** A preset of a project, and the paths of its media. */
export interface PlannedPreset {
  readonly plan: RenderPlan;
  /** Paths by index into `plan.sources`. */
  readonly files: readonly (readonly [source: number, path: string])[];
}

/** A project, planned for one preset. */
export interface PlannedProject extends PlannedPreset {
  readonly request: ExportRequest;
  readonly host: RenderHost;
}

/** A project, planned for all its presets; the selected one comes first. */
export interface PlannedPresets {
  readonly presets: readonly [PlannedPreset, ...PlannedPreset[]];
  readonly host: RenderHost;
}

/** Options besides the project file. */
interface ProjectOptions {
  readonly preset?: string | undefined;
  /** A file with facts, used instead of probing the media. */
  readonly facts?: string | undefined;
  /** The value of `--values`; has no effect on a project that is filled in already. */
  readonly values?: string | undefined;
  /** Fetches media from the web. */
  readonly web: WebMedia;
  readonly signal: AbortSignal;
  /** Whether to plan shorts; overrides the setting of the project. */
  readonly shorts?: boolean | undefined;
  /** Facts and hashes from earlier runs. */
  readonly known?: KnownMedia | undefined;
  /** Receives the paths of the media before they are probed. */
  readonly onMedia?: ((paths: readonly string[]) => void) | undefined;
}

/** Reads a project, probes its media and plans it. */
export async function planProject(file: string | ProjectFile, options: ProjectOptions): Promise<PlannedProject> {
  const { request, presets, planFor, host } = await openProject(file, options);
  const { preset } = options;
  const chosen = preset === undefined ? findPreset(presets, request.settings.preset)! : presetNamed(presets, preset);
  return { request, host, ...planFor(chosen) };
}

/** The same for every preset. */
export async function planAllPresets(file: string, options: Omit<ProjectOptions, 'preset'>): Promise<PlannedPresets> {
  const { request, presets, planFor, host } = await openProject(file, options);
  const selected = findPreset(presets, request.settings.preset)!;
  const others = presets.filter((preset) => preset !== selected);
  return { host, presets: [planFor(selected), ...others.map(planFor)] };
}

/** The preset that shorts are cut from, with all shorts. @throws `cli.usage` if there is none. (C52) */
export async function planShorts(file: string, options: Omit<ProjectOptions, 'preset'>): Promise<PlannedProject> {
  const { request, presets, planFor, host } = await openProject(file, { ...options, shorts: true });
  const planned = request.settings.shorts === null ? null : planFor(findPreset(presets, request.settings.shorts)!);
  if (planned === null || planned.plan.shorts.length === 0) {
    throw new ExportError(
      'invalid',
      'cli.usage',
      'There are no shorts: the timeline has no reveals, or no preset is portrait.',
    );
  }
  return { request, host, ...planned };
}

/** A thumbnail of a project. */
interface PlannedThumbnail {
  readonly plan: ThumbnailPlan;
  /** Paths by index into `plan.sources`. */
  readonly files: PlannedPreset['files'];
  readonly host: RenderHost;
}

/** Reads a project, probes its media and plans its thumbnail. (R39) */
export async function planProjectThumbnail(
  file: string,
  wanted: WantedThumbnail,
  options: Pick<ProjectOptions, 'web' | 'signal' | 'values'>,
): Promise<PlannedThumbnail> {
  const { request, warnings, mediaFacts, media, host } = await openProject(file, options);
  const planned = planThumbnail(request, wanted, mediaFacts);
  const plan = { ...planned, warnings: [...warnings, ...planned.warnings] };
  return { plan, files: pathsOf(plan.sources, media), host };
}

async function openProject(
  file: string | ProjectFile,
  { facts, values, web, signal, known = new KnownMedia(), onMedia, shorts }: ProjectOptions,
) {
  const config = readConfig();
  const sent =
    typeof file === 'string' ? await readProjectFile(file, values, jsonLimits(config), timelineLimits(config)) : file;
  const project = shorts === true ? withShorts(sent) : sent;
  onMedia?.([...project.media.values()]);
  const limits = timelineLimits(config);
  const given = facts === undefined ? null : await readFactsFile(facts, jsonLimits(config));
  // A project that is filled in many times has these addresses already.
  const addresses = new Map([...project.addresses, ...(typeof file === 'string' ? web.named : [])]);
  const { stored } = project;
  const mentioned = new Set([...project.media.keys(), ...addresses.keys(), ...stored.keys()]);
  const uploads = new Set(given?.keys() ?? mentioned);
  const options = { limits, presets: config.presets, uploads };
  const named = new Set([...uploads, ...mentioned]);
  const outline = parseRequest(project.documents, { ...options, uploads: named }).timeline.subtitleFiles;
  const fetched = async () => [...(await web.stored.fetch(stored, signal)), ...(await web.fetch(addresses, signal))];
  const media = given === null ? new Map([...project.media, ...(await fetched())]) : project.media;
  // Facts replace absent media; an absent subtitle file cannot be read then.
  const read = given === null ? outline : outline.filter(({ field }) => media.has(field));
  const subtitleTexts = await readProjectSubtitles(read, media, jsonLimits(config).maxBytes);
  const request = parseRequest(project.documents, { ...options, subtitleTexts });
  const host = new RenderHost({
    mode: config.sandbox,
    allowance: childAllowance(config),
    mediaLimits: mediaLimits(config),
  });
  const mediaFacts = given ?? (await findFacts(media, request, host, known, signal));
  const planFor = (preset: Preset): PlannedPreset => {
    const planned = planRender(request, { facts: mediaFacts, preset, limits, engineVersion: ENGINE_VERSION, sha256 });
    const plan = { ...planned, warnings: [...project.warnings, ...planned.warnings] };
    return { plan, files: pathsOf(plan.sources, media) };
  };
  return { request, presets: config.presets, planFor, host, mediaFacts, media, warnings: project.warnings };
}

function pathsOf(sources: RenderPlan['sources'], media: ReadonlyMap<string, string>): PlannedPreset['files'] {
  return sources.map(({ field }, source) => [source, media.get(field) ?? ''] as const);
}

function withShorts(project: ProjectFile): ProjectFile {
  const { settings = {} } = project.documents;
  // Reading it reports a value that is not an object.
  return isObject(settings)
    ? { ...project, documents: { ...project.documents, settings: { ...settings, shorts: true } } }
    : project;
}

function presetNamed(presets: Parameters<typeof findPreset>[0], name: string): Preset {
  const preset = findPreset(presets, name);
  if (preset !== undefined) return preset;
  const names = presetNames(presets).join(', ');
  throw new ExportError('invalid', 'cli.usage', `--preset must be one of ${names}, not ${shownText(name)}.`);
}

/** Hashes and probes the media that the project mentions. */
async function findFacts(
  media: ProjectFile['media'],
  request: ExportRequest,
  host: RenderHost,
  known: KnownMedia,
  signal: AbortSignal,
): Promise<MediaFactsByField> {
  const { hashed, issues } = await hashAll(mentionedFields(request), media, known);
  if (issues.length > 0) {
    const [only, ...others] = issues;
    const message = others.length === 0 ? only!.message : `${issues.length} media files cannot be read.`;
    throw new ExportError('missing', 'project.unreadable', message, { issues });
  }
  const unknown = [...hashed].filter(([, { hash }]) => !known.facts.has(hash)).map(([field]) => field);
  const workDir = await mkdtemp(join(tmpdir(), 'tiercut-probe-'));
  try {
    const found = await probeFiles(unknown, hashed, host, workDir, signal);
    for (const facts of found.values()) known.facts.set(facts.hash, facts);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  const facts = [...hashed].map(([field, { hash }]) => [field, known.facts.get(hash)!] as const);
  return resolveFacts(request, new Map(facts));
}

/** The hashed media of fields, and the errors of those that cannot be read. */
async function hashAll(
  fields: Iterable<string>,
  media: ReadonlyMap<string, string>,
  known: KnownMedia,
): Promise<{ hashed: ReadonlyMap<string, HashedFile>; issues: readonly Issue[] }> {
  const hashed = new Map<string, HashedFile>();
  const issues: Issue[] = [];
  for (const field of fields) {
    const path = media.get(field)!;
    try {
      hashed.set(field, { path, hash: await known.hashOf(path) });
    } catch (cause) {
      const message = `The file ${shownText(path)} of ${shownText(field)} ${unreadableReason(cause)}.`;
      issues.push({ path: pointer('/media', field), code: 'project.unreadable', message });
    }
  }
  return { hashed, issues };
}

const facts = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(MEDIA_KINDS),
  duration: z.number().min(0),
  width: z.number().int().min(0),
  height: z.number().int().min(0),
  alpha: z.boolean(),
  sound: z.boolean(),
  truncated: z.boolean().optional(),
});

/** Reads media facts from a JSON object by `file_field`, to plan without the media. */
async function readFactsFile(file: string, limits: JsonLimits): Promise<MediaFactsByField> {
  const checked = z.record(z.string(), facts).safeParse(await readJsonFile(file, limits));
  if (checked.success) return new Map(Object.entries(checked.data));
  const first = checked.error.issues[0];
  const path = first === undefined ? '' : `/${first.path.join('/')}`;
  const message = `The facts at ${path} must be { hash, kind, duration, width, height, alpha, sound }.`;
  throw new ExportError('invalid', 'project.facts', message, { path });
}

/** A media file of the project: its path, and the SHA-256 of its bytes in hex. */
interface HashedFile {
  readonly path: string;
  readonly hash: string;
}

/**
 * Probes media for the planner in a jailed child, by field: facts, or a message that says why there are none.
 *
 * @param workDir an empty folder for the child.
 */
async function probeFiles(
  fields: Iterable<string>,
  hashed: ReadonlyMap<string, HashedFile>,
  host: RenderHost,
  workDir: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FactsOrError>> {
  const mentioned = [...fields].map((field) => [field, hashed.get(field)!] as const);
  // One content under several names is probed once.
  const paths = [...new Map(mentioned.map(([, { hash, path }]) => [hash, path])).entries()];
  if (paths.length === 0) return new Map();
  const probed = await host.probe({ inputs: paths.map(([, path]) => path), workDir, signal });
  const byHash = new Map(paths.map(([hash], i) => [hash, probed[i]!]));
  return new Map(
    mentioned.map(([field, { hash }]): [string, FactsOrError] => {
      return [field, factsOrErrorOf(hash, byHash.get(hash)!)];
    }),
  );
}

/** The result of a probe, in the planner's format. */
function factsOrErrorOf(hash: string, result: Probed): FactsOrError {
  if (!(result instanceof ExportError)) return { hash, ...result.facts };
  const { kind, code, message } = result;
  return { hash, error: { kind, code, message } };
}
