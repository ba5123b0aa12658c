import { buildStudio } from './built.ts';

/** The exit code for a temporary failure; an error in the sources is 1. */
const TRY_AGAIN = 75;

/** `node build/build-studio.ts FOLDER`: the studio of a build. */
const [, , folder] = process.argv;
if (folder === undefined) throw new Error('of which build?');
try {
  await buildStudio(folder);
} catch (error) {
  // An error in the sources has no code. A full disk or a folder that cannot be written is none of them.
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  process.stderr.write(`The studio cannot be built, and is tried again in a minute: ${message}\n`);
  process.exitCode = TRY_AGAIN;
}
