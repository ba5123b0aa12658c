/** One tab works on a project at a time. */

/** `lost`: another tab has taken it over. `shared`: somebody else's project, by a link. */
export type LockState = 'held' | 'elsewhere' | 'lost' | 'shared';

let release: (() => void) | null = null;

export function releaseLock(): void {
  release?.();
  release = null;
}

/**
 * Takes the project's lock, and lets the one before go.
 *
 * @param steal takes it from another tab.
 * @param onLost called when another tab takes it.
 */
export async function lockProject(id: string, steal: boolean, onLost: () => void): Promise<LockState> {
  releaseLock();
  // Where there are no locks (an address that is not secure) there is no keeping either, and nothing to guard.
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
