import { join, resolve } from 'node:path';
import type { MediaLimits } from '../engine/input/media-limits.ts';
import { ExportError, type Issue } from '../errors.ts';
import type { ChildAllowance } from '../sandbox/host/child-limits.ts';
import type { JsonLimits } from '../timeline/json/json-text.ts';
import type { TimelineLimits } from '../timeline/limits.ts';
import { ENVIRONMENT, type Environment } from './environment.ts';
import { LIMIT_VARIABLES } from './limit-variables.ts';
import { SERVICE_VARIABLES } from './service-variables.ts';
import type { Variable } from './value-parsers.ts';

/** The configuration: the value of every variable. */
export type Config = {
  readonly [key in keyof typeof VARIABLES]: (typeof VARIABLES)[key] extends Variable<infer T> ? T : never;
};

/**
 * Reads the configuration from an environment.
 *
 * @throws ExportError that names every invalid variable, including misspelt ones.
 */
export function readConfig(env: Environment = ENVIRONMENT): Config {
  const issues: Issue[] = [];
  const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name));
  for (const name of Object.keys(env)) {
    // Variables that only our tests use are not misspellings.
    if (!name.startsWith('TIERCUT_') || name.startsWith('TIERCUT_TEST_') || known.has(name)) continue;
    issues.push({
      path: name,
      code: 'config.unknown',
      message: `${name} is not a variable; "tiercut config" lists them.`,
    });
  }
  const entries = Object.entries(VARIABLES).map(([key, { name, parse, default: fallback, secret }]) => {
    const given = env[name] ?? fallback;
    const parsed = parse(given);
    if ('value' in parsed) return [key, parsed.value];
    const found = secret ? 'what it is set to' : JSON.stringify(given.slice(0, 100));
    const message = `${name} must be ${parsed.allowed}, not ${found}.`;
    issues.push({ path: name, code: 'config.invalid', message });
    return [key, undefined];
  });
  if (issues.length > 0) {
    const message = issues.map((issue) => issue.message).join('\n');
    throw new ExportError('invalid', 'config.invalid', message, { issues });
  }
  return Object.fromEntries(entries) as Config;
}

/** One line for each variable: its value, its default, and its purpose. */
export function configTable(
  env: Environment = ENVIRONMENT,
): readonly { name: string; value: string; default: string; doc: string }[] {
  return Object.values(VARIABLES).map(({ name, default: fallback, doc, secret }) => {
    const value = env[name] ?? fallback;
    return { name, value: secret && value !== '' ? '(set)' : value, default: fallback, doc };
  });
}

/** The limits that matter to a client; the others are for operators. (C70) */
const CLIENT_LIMITS = [
  ...(['maxRequestBytes', 'maxFileBytes', 'maxImageFileBytes', 'maxMediaParts', 'maxFields'] as const),
  ...(['maxFieldNameBytes', 'maxFileNameBytes', 'maxJsonBytes', 'maxJsonDepth', 'maxJsonValues'] as const),
  ...(['idleTimeoutSeconds', 'uploadTimeoutSeconds', 'waitSeconds', 'requestsPerMinute', 'sessionHours'] as const),
  ...(['maxImagePixels', 'maxImageSide', 'maxAnimationFrames', 'maxAnimationPixels'] as const),
  ...(['maxVideoWidth', 'maxVideoHeight', 'maxVideoFps', 'maxVideoSeconds', 'maxStreams'] as const),
  ...(['maxTimelineSeconds', 'maxEntriesPerLane', 'maxItems', 'maxRows', 'maxLayersAtOnce', 'maxTextLength'] as const),
  ...(['maxOutputSide', 'maxOutputPixels', 'maxOutputFps'] as const),
  ...(['maxWaiting', 'maxTenantUploads', 'maxTenantFrames', 'maxOpenWaits'] as const),
  ...(['retentionHours', 'maxRetentionHours', 'mediaRetentionHours', 'unfinishedRetentionHours'] as const),
  ...(['fetchSeconds', 'maxTenantFetches', 'maxTenantCaptions', 'maxTenantSends'] as const),
  ...(['maxMediaBytes', 'maxMediaFiles', 'maxTenantRows'] as const),
  ...(['maxUnfinishedUploads', 'maxProjects', 'maxDrafts'] as const),
] satisfies readonly (keyof Config)[];

/** The limits for clients, as numbers by name: `max_file_bytes`. (C70) */
export function clientLimits(config: Config): Record<string, number> {
  const plainName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(CLIENT_LIMITS.map((key) => [plainName(key), config[key]]));
}

/** The limits on a JSON text. */
export function jsonLimits({ maxJsonBytes, maxJsonDepth, maxJsonValues }: Config): JsonLimits {
  return { maxBytes: maxJsonBytes, maxDepth: maxJsonDepth, maxValues: maxJsonValues };
}

/** How files are fetched from addresses. (C66) */
export function fetchRules({ privateAddresses, idleTimeoutSeconds, fetchSeconds }: Config) {
  return { allowPrivate: privateAddresses, idleMs: idleTimeoutSeconds * 1000, totalMs: fetchSeconds * 1000 };
}

/** The limits of documents; the names are the same. */
export function timelineLimits(config: Config): TimelineLimits {
  return config;
}

/** The limits on a single upload. */
export function mediaLimits(config: Config): MediaLimits {
  return {
    maxWidth: config.maxVideoWidth,
    maxHeight: config.maxVideoHeight,
    maxFps: config.maxVideoFps,
    maxDurationSeconds: config.maxVideoSeconds,
    maxStreams: config.maxStreams,
    imageMaxPixels: config.maxImagePixels,
    imageMaxSide: config.maxImageSide,
    animationMaxFrames: config.maxAnimationFrames,
    animationMaxPixels: config.maxAnimationPixels,
  };
}

/** The limits of a render child. */
export function childAllowance(config: Config): ChildAllowance {
  return {
    rssBytes: config.childMaxRssBytes,
    stallSeconds: config.childStallSeconds,
    baseSeconds: config.childBaseSeconds,
    secondsPerSecond: config.childSecondsPerSecond,
  };
}

/** All variables. Only `readConfig` reads the environment with this table. */
export const VARIABLES = { ...SERVICE_VARIABLES, ...LIMIT_VARIABLES } as const;

/** The folder of speech models. */
export function modelsDirOf({ modelsDir, dataDir }: Pick<Config, 'modelsDir' | 'dataDir'>): string {
  return resolve(modelsDir ?? join(dataDir, 'models'));
}
