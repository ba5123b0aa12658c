import type { Issue } from '../../errors.ts';

/** How far a request has come; the unit is the operation's own (frames, samples). */
export interface OperationProgress {
  readonly done: number;
  readonly total: number;
}

/** The types of one operation: its parameters and its result. Both are plain data. */
export interface OperationTypes {
  readonly params: unknown;
  readonly result: unknown;
}

/** The context of an operation besides its parameters. */
export interface OperationContext {
  /** Aborts when the parent no longer needs the result. */
  readonly signal: AbortSignal;
  /** Cheap enough to call for every frame: calls that come too fast are dropped. */
  readonly progress: (progress: OperationProgress) => void;
  readonly warn: (issue: Issue) => void;
}

/** The child's side of every operation. Implementations import their code when first called. */
export type OperationHandlers<Ops> = {
  readonly [Op in keyof Ops]: (
    params: Ops[Op] extends OperationTypes ? Ops[Op]['params'] : never,
    context: OperationContext,
  ) => Promise<Ops[Op] extends OperationTypes ? Ops[Op]['result'] : never>;
};
