/** Only one tab can edit a project at a time. */

/** `lost`: another tab has taken it over. `shared`: a project opened by a link. */
export type LockState = 'held' | 'elsewhere' | 'lost' | 'shared';

let release: (() => void) | null = null;

export function releaseLock(): void {
  release?.();
  release = null;
}

/**
 * Takes the lock of a project and releases the current one.
 *
 * @param steal takes it from another tab.
 * @param onLost called when another tab takes it.
 */
export async function lockProject(id: string, steal: boolean, onLost: () => void): Promise<LockState> {
  releaseLock();
  // Without locks (an insecure origin) there is no storage either, and nothing to protect.
  if (navigator.locks === undefined) return 'held';
  return new Promise((resolve) => {
    const options: LockOptions = steal ? { steal: true } : { ifAvailable: true };
    navigator.locks
      .request(`tiercut-project-${id}`, options, (lock) => {
        if (lock === null) {
          resolve('elsewhere');
          return;
        }
        resolve('held');
        return new Promise<void>((done) => {
          release = done;
        });
      })
      .catch(onLost);
  });
}
