/** Extends a JSON Pointer (RFC 6901) by the given keys. */
export function pointer(base: string, ...keys: readonly (string | number)[]): string {
  let path = base;
  for (const key of keys) path += `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return path;
}
