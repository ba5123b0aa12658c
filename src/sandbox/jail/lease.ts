import { setLease } from './libc.ts';

/**
 * Whether no process has the file open for writing, by a descriptor or by a mapping: only then does the kernel grant a
 * read lease. Also false if that is unknown: not on Linux, on file systems without leases, for files of other users.
 *
 * @param fd open for reading.
 */
export function hasNoWriter(fd: number): boolean {
  if (process.platform !== 'linux') return false;
  // If a process opens the file for writing during the lease, the kernel sends this signal to the holder, which would
  // end it.
  if (process.listenerCount('SIGIO') === 0) process.on('SIGIO', () => {});
  if (!setLease(fd, true)) return false;
  setLease(fd, false);
  return true;
}
