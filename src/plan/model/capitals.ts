/** Letters that only Turkish and its relatives have: there, the capital of i has a dot. */
const DOTTED = /[ğĞıİ]/;
/** Georgian has capitals that its fonts do not have. */
const CASED = /\P{Script=Georgian}+/gu;

/**
 * The language whose rules upper case follows. Those of Greek, which drops its accents, change nothing in other
 * scripts.
 */
export function capitalsOf(texts: Iterable<string>): string {
  for (const text of texts) if (DOTTED.test(text)) return 'tr';
  return 'el';
}

/** A text as its style writes it: in capitals or as it is. (R37) */
export function inCase(text: string, style: { readonly capitals?: boolean } | undefined): string {
  if (style?.capitals !== true) return text;
  const language = capitalsOf([text]);
  return text.replaceAll(CASED, (part) => part.toLocaleUpperCase(language));
}
