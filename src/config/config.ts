import type { MediaLimits } from '../engine/input/media-limits.ts';
import { ExportError, type Issue } from '../errors.ts';
import type { ChildAllowance } from '../sandbox/host/child-limits.ts';
import type { JsonLimits } from '../timeline/json/json-text.ts';
import type { TimelineLimits } from '../timeline/limits.ts';
import { ENVIRONMENT, type Environment } from './environment.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

/** The service's configuration: the value of every variable. */
export type Config = {
  readonly [key in keyof typeof VARIABLES]: (typeof VARIABLES)[key] extends Variable<infer T> ? T : never;
};

/**
 * Reads the configuration from an environment.
 *
 * @throws ExportError naming every variable that is at fault, misspelt ones included.
 */
export function readConfig(env: Environment = ENVIRONMENT): Config {
  const issues: Issue[] = [];
  const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name));
  for (const name of Object.keys(env)) {
    // What only our tests go by is no misspelling.
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

/** One line for each variable: what it is set to, what it would be otherwise, and what it is for. */
export function configTable(
  env: Environment = ENVIRONMENT,
): readonly { name: string; value: string; default: string; doc: string }[] {
  return Object.values(VARIABLES).map(({ name, default: fallback, doc, secret }) => {
    const value = env[name] ?? fallback;
    return { name, value: secret && value !== '' ? '(set)' : value, default: fallback, doc };
  });
}

/** Numbers that bound nothing. */
const NO_LIMITS: ReadonlySet<string> = new Set(['port', 'trustProxy']);

/** Every limit, the way it is written in the environment: whatever is set to a number is one. (C52) */
export function shownLimits(config: Config, env: Environment = ENVIRONMENT): Record<string, string> {
  const limits = Object.entries(VARIABLES).filter(([key]) => {
    return !NO_LIMITS.has(key) && typeof config[key as keyof Config] === 'number';
  });
  return Object.fromEntries(limits.map(([, { name, default: fallback }]) => [name, env[name] ?? fallback]));
}

/** The limits on a JSON text. */
export function jsonLimits({ maxJsonBytes, maxJsonDepth, maxJsonValues }: Config): JsonLimits {
  return { maxBytes: maxJsonBytes, maxDepth: maxJsonDepth, maxValues: maxJsonValues };
}

/** The limits on what the documents ask for; the names are the same. */
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

/** What a render child may take. */
export function childAllowance(config: Config): ChildAllowance {
  return {
    rssBytes: config.childMaxRssBytes,
    stallSeconds: config.childStallSeconds,
    baseSeconds: config.childBaseSeconds,
    secondsPerSecond: config.childSecondsPerSecond,
  };
}
