/**
 * A user's text as it can be drawn: line ends are `\n`, other controls are spaces, text over `maxLength` ends in an
 * ellipsis.
 *
 * Bidi overrides are removed, because they can make a name read as something else. Marks and isolates stay, because
 * mixed text needs them.
 */
export function cleanText(text: string, maxLength: number): string {
  const cleaned = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[\u202a-\u202e\u00ad\ufeff]/g, '')
    .replace(/(?!\n)\p{Cc}/gu, ' ');
  if (cleaned.length <= maxLength) return cleaned;
  return `${cleaned
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

/** The same for a text of one paragraph: labels, names, titles. */
export function cleanLine(text: string, maxLength: number): string {
  return cleanText(text, maxLength).replace(/\s+/gu, ' ').trim();
}
