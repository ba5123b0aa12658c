/**
 * How much of a jail a render requires: `auto` uses the layers that the machine has and reports missing ones,
 * `required` refuses to start without all of them, `off` runs the child as an ordinary process (the watchdogs stay).
 */
export type SandboxMode = 'auto' | 'required' | 'off';

/**
 * A layer of the jail: `landlock` decides which files can be opened, `seccomp` which system calls exist (no sockets, no
 * programs, no other processes), `rlimits` how much memory and disk one process can take.
 */
export type JailLayerName = 'landlock' | 'seccomp' | 'rlimits';

/** All layers, in the order in which they are activated. */
export const JAIL_LAYERS: readonly JailLayerName[] = ['rlimits', 'landlock', 'seccomp'];

/** The active layers, and for each of the others the reason why it is missing. */
export interface JailReport {
  readonly layers: readonly { readonly name: JailLayerName; readonly detail: string }[];
  readonly missing: readonly { readonly name: JailLayerName; readonly reason: string }[];
}
