/**
 * The URL of a module beside another one, to start threads and processes with: a source among sources, a built file
 * among built ones. The bundler replaces this file (`build/bundle-programs.ts`), so it has nothing else in it.
 *
 * @param path relative, without an extension.
 * @param from `import.meta.url` of the caller.
 */
export function besideModule(path: string, from: string): URL {
  return new URL(path + from.slice(from.lastIndexOf('.')), from);
}
