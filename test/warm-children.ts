import { cloneCache } from '../src/platform/clone-cache.ts';
import { prepareCode } from '../src/sandbox/prepare-code.ts';

/** The render programs ready to run, as a service of this clone finds them. */
export const codeDir = await prepareCode(cloneCache('programs'));
