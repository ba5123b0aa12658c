import { createRequire, registerHooks } from 'node:module';

const require = createRequire(import.meta.url);

/** The options of openapi-typescript that we use. */
export interface TypeOptions {
  /** Everything is `readonly`. */
  readonly immutable?: boolean;
  /** Each schema has its own alias beside `components`. */
  readonly rootTypes?: boolean;
  readonly rootTypesNoSchemaPrefix?: boolean;
  /** Ours: what may be absent may be `undefined`, since JSON drops it; for programs under `exactOptionalPropertyTypes`. */
  readonly undefinedIsAbsent?: boolean;
}

/**
 * TypeScript types of an OpenAPI document, as `npx openapi-typescript` generates them; files are `Blob`, as in its
 * manual. It is written against the API of TypeScript up to 6, which 7 no longer has: a package with one of those
 * replaces it.
 */
export async function openApiTypes(
  document: object,
  { undefinedIsAbsent = false, ...options }: TypeOptions = {},
): Promise<string> {
  const classic = '@ts-morph/common/dist/typescript.js';
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? classic : specifier, context),
  });
  try {
    const generator = await import(require.resolve('openapi-typescript').replace(/\.cjs$/, '.mjs'));
    const ts = require(classic);
    const blob = ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'));
    const transform = ({ format }: { format?: string }) => (format === 'binary' ? blob : undefined);
    const transformProperty = (property: { readonly questionToken?: object; readonly type: object }) => {
      if (!undefinedIsAbsent || property.questionToken === undefined) return undefined;
      const { modifiers, name, questionToken, type } = property as Record<string, unknown>;
      const absent = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
      const either = ts.factory.createUnionTypeNode([type, absent]);
      return ts.factory.updatePropertySignature(property, modifiers, name, questionToken, either);
    };
    const types = await generator.default(document, { ...options, transform, transformProperty, silent: true });
    return generator.astToString(types);
  } finally {
    hooks.deregister();
  }
}
