import { setLease } from './libc.ts';

/**
 * Whether nobody at all has the file open for writing, be it by a descriptor or by memory it is mapped to: only then does
 * the kernel grant a lease for reading. False too where nobody can tell: not on Linux, on disks without leases, for files
 * of other users.
 *
 * @param fd open for reading.
 */
export function hasNoWriter(fd: number): boolean {
  if (process.platform !== 'linux') return false;
  // Whoever opens the file for writing in the moment of the lease has its holder sent this signal, which would end it.
  if (process.listenerCount('SIGIO') === 0) process.on('SIGIO', () => {});
  if (!setLease(fd, true)) return false;
  setLease(fd, false);
  return true;
}
