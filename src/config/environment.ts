/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Those of this process: nobody else asks for them. */
export const ENVIRONMENT: Environment = process.env;

/** All that this process was given, for a program that takes its place; `others` are set where nobody has set them. */
export function environmentWith(others: Readonly<Record<string, string>>): Record<string, string> {
  return { ...others, ...(ENVIRONMENT as Record<string, string>) };
}
