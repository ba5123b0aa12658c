import { resolve } from 'node:path';
import { buildStudioInto } from '../src/http/pages/studio-build.ts';

/** `node build/build-studio.ts FOLDER`: the studio, built ahead, for a container whose disk cannot be written to. */

await buildStudioInto(resolve(process.argv[2]!));
