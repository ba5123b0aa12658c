/** The methods of each address, for 405 and its `Allow` header. */
export class AllowedMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: Set<string> }[] = [];
  readonly #byUrl = new Map<string, Set<string>>();

  /** Adds a route in the router's notation: `:name` matches one segment of the path. */
  add(url: string, methods: readonly string[]): void {
    let known = this.#byUrl.get(url);
    if (known === undefined) {
      known = new Set();
      this.#byUrl.set(url, known);
      const steps = url.split('/').map((step) => (step.startsWith(':') ? '[^/]+' : RegExp.escape(step)));
      this.#routes.push({ pattern: new RegExp(`^${steps.join('/')}$`), methods: known });
    }
    for (const method of methods) known.add(method);
  }

  /** The methods at `path`; empty if there is no such address. */
  at(path: string): readonly string[] {
    const methods = this.#routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => [...route.methods]);
    return [...new Set(methods)].sort();
  }
}
