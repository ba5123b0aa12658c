import type { z } from 'zod';
import type { OperationTypes } from '../channel/operation.ts';

/** The contract for an operation's result. */
interface OperationContract<T extends OperationTypes> {
  /** The schema of a valid result. It has no room for names and paths of files. */
  readonly result: z.ZodType<T['result']>;
  /** Absolute paths of the files it leaves in the work folder; each is looked at before the answer is passed on. */
  readonly outputs?: (params: T['params']) => readonly string[];
  /** The owner takes finished files while the operation goes on, and looks at each itself (`requirePlainFile`). */
  readonly takenMeanwhile?: boolean;
}

/** A program that runs in a jailed child, as its parent sees it. */
export interface ChildProgram<Ops extends Record<keyof Ops, OperationTypes>> {
  /** Absolute path of its main module, which calls `serveOperations`. */
  readonly entry: string;
  readonly operations: { readonly [Op in keyof Ops]: OperationContract<Ops[Op]> };
}
