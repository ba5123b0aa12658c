import { buildStudio } from './built.ts';

/** `node build/build-studio.ts FOLDER`: the studio of a build. */
const [, , folder] = process.argv;
if (folder === undefined) throw new Error('of which build?');
await buildStudio(folder);
