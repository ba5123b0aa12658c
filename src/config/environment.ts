/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process; no other module reads it. */
export const ENVIRONMENT: Environment = process.env;

/** The whole environment for a program that replaces this process; `others` are defaults. */
export function environmentWith(others: Readonly<Record<string, string>>): Record<string, string> {
  return { ...others, ...(ENVIRONMENT as Record<string, string>) };
}
