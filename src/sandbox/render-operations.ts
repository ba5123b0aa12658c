import type { SelfTestParams, SelfTestRow } from './self-test.ts';

/**
 * What the render child can be asked. To add an operation, name its types here; the compiler then asks for its contract
 * in render-program.ts (parent) and for its implementation in child-main.ts (child).
 */
export interface RenderOperations {
  /** Tries what the jail must refuse, from inside. */
  readonly self_test: { readonly params: SelfTestParams; readonly result: readonly SelfTestRow[] };
  /** Loads all code that any operation needs, and does nothing with it. */
  readonly warm_up: { readonly params: null; readonly result: null };
}
