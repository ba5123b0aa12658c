import type { RenderOperations } from './child/render-operations.ts';
import { JailedChild } from './host/jailed-child.ts';
import type { LaunchOptions } from './host/launch-options.ts';
import { RENDER_PROGRAM } from './render-program.ts';

/** The process in which one export is probed, rendered and assembled. */
export type RenderChild = JailedChild<RenderOperations>;

/**
 * Starts a render child. Its inputs are fixed for its life, so there is one for each export; it serves all of the
 * export's chunks.
 */
export function launchRenderChild(options: LaunchOptions): Promise<RenderChild> {
  return JailedChild.start(RENDER_PROGRAM, options);
}
