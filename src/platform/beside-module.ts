/**
 * The address of a module beside another one, for threads and processes that are started with it: a source among sources, a
 * built file among built ones (`dist/` of the npm package).
 *
 * @param path relative, without an ending.
 * @param from `import.meta.url` of the caller.
 */
export function besideModule(path: string, from: string): URL {
  return new URL(path + from.slice(from.lastIndexOf('.')), from);
}
