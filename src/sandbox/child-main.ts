/**
 * The program that renders, inside the jail. Everything that can touch media is imported by the operation that needs
 * it: the seal comes first, and a probe does not wait for the painter to load.
 */
import { serveOperations } from './child-server.ts';
import type { RenderOperations } from './render-operations.ts';

serveOperations<RenderOperations>({
  self_test: async (params) => (await import('./self-test.ts')).selfTest(params),
  warm_up: async () => {
    await Promise.all([import('./self-test.ts')]);
    return null;
  },
});
