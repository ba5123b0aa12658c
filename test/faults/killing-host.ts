import { readFileSync, watch } from 'node:fs';
import type { RenderPlan } from '../../src/plan/model/render-plan.ts';
import type { LentPlan, RenderOperations } from '../../src/sandbox/child/render-operations.ts';
import type { RequestOptions } from '../../src/sandbox/host/launch-options.ts';
import type { RenderChild } from '../../src/sandbox/render-child.ts';
import { type ChildTask, RenderHost, type RenderHostOptions } from '../../src/sandbox/render-host.ts';

type Operation = keyof RenderOperations;

/** Which signal, if any, a child gets while it is busy with an operation. `plan` is null where there is none yet. */
export type Sentence = (op: Operation, plan: Pick<RenderPlan, 'title'> | null) => NodeJS.Signals | null;

/** Reported by the child itself while they run; the others show their start only by the file they write. */
const TELLS_PROGRESS: ReadonlySet<Operation> = new Set<Operation>(['render_chunks', 'render_sound']);

/** Real render children, some of which are killed during their work. */
export class KillingHost extends RenderHost {
  /** The operations during which a child was killed, in order. */
  readonly killed: Operation[] = [];
  readonly #sentence: Sentence;

  constructor(options: RenderHostOptions, sentence: Sentence) {
    super(options);
    this.#sentence = sentence;
  }

  override async open(task: ChildTask): Promise<RenderChild> {
    const child = await super.open(task);
    const request = child.request.bind(child);
    child.request = async (op, params, options = {}) => {
      const signal = this.#sentence(op, planOf(params));
      if (signal === null) return request(op, params, options);
      let alive = true;
      const kill = (): void => {
        if (!alive) return;
        alive = false;
        this.killed.push(op);
        process.kill(child.pid!, signal);
      };
      const onProgress: RequestOptions['onProgress'] = (progress) => {
        if (TELLS_PROGRESS.has(op)) kill();
        options.onProgress?.(progress);
      };
      const watcher = watch(task.workDir, () => {
        if (!TELLS_PROGRESS.has(op)) kill();
      });
      try {
        const answer = request(op, params, { ...options, onProgress });
        if (op === 'probe') kill();
        await answer;
        // It was faster than the kill: then it dies with its response.
        kill();
        return await request(op, params, options);
      } finally {
        alive = false;
        watcher.close();
      }
    };
    return child;
  }
}

interface Sent {
  readonly plan?: Pick<RenderPlan, 'title'> | LentPlan;
}

/** The plan of a request, or of its first preset. */
function planOf(params: unknown): Pick<RenderPlan, 'title'> | null {
  const { plan, presets } = (params ?? {}) as Sent & { readonly presets?: readonly Sent[] };
  const sent = plan ?? presets?.[0]?.plan;
  if (sent === undefined) return null;
  return 'file' in sent ? JSON.parse(readFileSync(sent.file, 'utf8')) : sent;
}
