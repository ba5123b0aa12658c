import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import type { RenderOperations } from '../../src/sandbox/child/render-operations.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../src/sandbox/host/child-limits.ts';
import type { RenderChild } from '../../src/sandbox/render-child.ts';
import { type ChildTask, RenderHost } from '../../src/sandbox/render-host.ts';
import type { SmallDisk } from './small-disk.ts';

/** Real render children that find no space for one of their operations, so many times. */
export class FillingHost extends RenderHost {
  readonly #disk: SmallDisk;
  readonly #op: keyof RenderOperations;
  #timesLeft: number;

  constructor(disk: SmallDisk, op: keyof RenderOperations, times: number) {
    super({ mode: 'auto', allowance: DEFAULT_CHILD_ALLOWANCE, mediaLimits: DEFAULT_MEDIA_LIMITS });
    this.#disk = disk;
    this.#op = op;
    this.#timesLeft = times;
  }

  override async open(task: ChildTask): Promise<RenderChild> {
    const child = await super.open(task);
    const request = child.request.bind(child);
    child.request = async (op, params, options) => {
      if (op !== this.#op || this.#timesLeft === 0) return request(op, params, options);
      this.#timesLeft -= 1;
      this.#disk.fill(0);
      try {
        return await request(op, params, options);
      } finally {
        this.#disk.free();
      }
    };
    return child;
  }
}
