import { besideModule } from '../../platform/beside-module.ts';
import { type PlanningTasks, planningTasks } from './planning.ts';
import type { RequestRules } from './read-request.ts';
import { ThreadPool } from './thread-pool.ts';

/** The tasks of planning, in this thread or another. Turns are taken by `tenant`; see PlanningTasks. */
export type Planner = {
  readonly [name in keyof PlanningTasks]: (
    tenant: string,
    request: Parameters<PlanningTasks[name]>[0],
    signal: AbortSignal,
  ) => Promise<ReturnType<PlanningTasks[name]>>;
};

/**
 * Reads and plans in threads of its own: a large document or a long timeline takes hundreds of milliseconds, which would
 * block the event loop. (H60)
 */
export class ThreadPlanner implements Planner, AsyncDisposable {
  readonly #pool: ThreadPool;

  constructor(rules: RequestRules, { threads, maxWaiting }: { threads: number; maxWaiting: number }) {
    const entry = besideModule('./planning-thread', import.meta.url);
    this.#pool = new ThreadPool({ entry, data: rules, threads, maxWaiting });
  }

  readonly form = this.#task('form');
  readonly projectForm = this.#task('projectForm');
  readonly projectRevision = this.#task('projectRevision');
  readonly hash = this.#task('hash');
  readonly batchForm = this.#task('batchForm');
  readonly batch = this.#task('batch');
  readonly batchRow = this.#task('batchRow');
  readonly project = this.#task('project');
  readonly sharedProject = this.#task('sharedProject');
  readonly media = this.#task('media');
  readonly check = this.#task('check');
  readonly outline = this.#task('outline');
  readonly plan = this.#task('plan');
  readonly draft = this.#task('draft');
  readonly describe = this.#task('describe');
  readonly frame = this.#task('frame');
  readonly thumbnail = this.#task('thumbnail');
  readonly published = this.#task('published');
  readonly thumbnailFields = this.#task('thumbnailFields');
  readonly voice = this.#task('voice');

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]();
  }

  #task<N extends keyof PlanningTasks>(name: N): Planner[N] {
    // The thread runs the task of that name.
    return ((tenant, request, signal) => this.#pool.run(tenant, { name, request }, signal)) as Planner[N];
  }
}

/** Plans in the calling thread, for callers that have no other requests to serve. */
export function plannerHere(rules: RequestRules): Planner {
  const tasks = planningTasks(rules);
  return {
    form: async (_, sent) => tasks.form(sent),
    projectForm: async (_, sent) => tasks.projectForm(sent),
    projectRevision: async (_, sent) => tasks.projectRevision(sent),
    hash: async (_, request) => tasks.hash(request),
    batchForm: async (_, sent) => tasks.batchForm(sent),
    batch: async (_, sent) => tasks.batch(sent),
    batchRow: async (_, sent) => tasks.batchRow(sent),
    project: async (_, sent) => tasks.project(sent),
    sharedProject: async (_, sent) => tasks.sharedProject(sent),
    media: async (_, request) => tasks.media(request),
    check: async (_, request) => tasks.check(request),
    outline: async (_, request) => tasks.outline(request),
    plan: async (_, request) => tasks.plan(request),
    draft: async (_, request) => tasks.draft(request),
    describe: async (_, request) => tasks.describe(request),
    frame: async (_, request) => tasks.frame(request),
    published: async (_, request) => tasks.published(request),
    thumbnail: async (_, request) => tasks.thumbnail(request),
    thumbnailFields: async (_, request) => tasks.thumbnailFields(request),
    voice: async (_, request) => tasks.voice(request),
  };
}
