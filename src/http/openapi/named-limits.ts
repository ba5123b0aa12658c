import { DEFAULT_TIMELINE_LIMITS, type TimelineLimits } from '../../timeline/limits.ts';

/** In the place of limits that an operator configures: numbers that nothing else in the document has. */
const FIRST = 2 ** 52;
const NAMES = Object.keys(DEFAULT_TIMELINE_LIMITS) as readonly (keyof TimelineLimits)[];

export const STAND_INS = Object.fromEntries(NAMES.map((name, n) => [name, FIRST + n])) as unknown as TimelineLimits;

const BOUNDS = {
  minimum: 'At least minus',
  maximum: 'At most',
  maxLength: 'Characters: at most',
  maxItems: 'Entries: at most',
} as const;

/**
 * Schemas that were made with `STAND_INS`, without these limits: their descriptions say which member of `/limits` has
 * the number. So the document is the same on every deployment. (C31)
 */
export function withNamedLimits<T>(schemas: T): T {
  return JSON.parse(JSON.stringify(schemas), (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const words: string[] = [];
    const open = Object.entries(value).filter(([key, bound]) => {
      const name = typeof bound === 'number' ? NAMES[Math.abs(bound) - FIRST] : undefined;
      if (name === undefined || !Object.hasOwn(BOUNDS, key)) return true;
      words.push(`${BOUNDS[key as keyof typeof BOUNDS]} \`${shownName(name)}\` of \`/limits\`.`);
      return false;
    });
    if (words.length === 0) return value;
    const described = [Object(value).description, ...words].filter((text) => text !== undefined).join(' ');
    return { ...Object.fromEntries(open), description: described };
  });
}

/** As `/limits` has it. */
function shownName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
