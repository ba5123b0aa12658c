/** How many values one statement has at most. */
export const MAX_IN_LIST = 200;

/** `$1, $2 …` and their values. Their number is constant, so the database prepares one statement. */
export function inList(values: readonly string[]): { readonly places: string; readonly parameters: string[] } {
  if (values.length === 0 || values.length > MAX_IN_LIST)
    throw new Error(`a list has 1 to ${MAX_IN_LIST} values, not ${values.length}`);
  return { places: PLACES, parameters: Array.from({ length: MAX_IN_LIST }, (_, n) => values[n] ?? values[0]!) };
}

const PLACES = Array.from({ length: MAX_IN_LIST }, (_, n) => `$${n + 1}`).join(', ');
