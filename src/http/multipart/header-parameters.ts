/** A header's value and its parameters, names in lower case. */
export interface ParsedHeader {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/sy;

/**
 * Parses `value; name="text"; name=token`. null if it is malformed or repeats a parameter.
 * Only `\"` and `\\` are escapes: browsers send the bare backslashes of a Windows path.
 */
export function parseHeader(text: string): ParsedHeader | null {
  const value = /^[^;]*/.exec(text)![0];
  const parameters = new Map<string, string>();
  let at = value.length;
  while (at < text.length) {
    // A single semicolon at the end is common and harmless.
    if (/^;[ \t]*$/.test(text.slice(at))) break;
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) return null;
    const [whole, name, quoted, token] = match;
    const key = name!.toLowerCase();
    if (parameters.has(key)) return null;
    parameters.set(key, quoted === undefined ? token! : quoted.replace(/\\(["\\])/g, '$1'));
    at += whole.length;
  }
  return { value: value.trim(), parameters };
}

/** The text of an extended parameter (`UTF-8''na%C3%AFve`, RFC 8187); null if it is not one. */
export function decodeExtended(text: string): string | null {
  const [, encoded] = /^utf-8'[^']*'((?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-Fa-f]{2})*)$/i.exec(text) ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
