/** The radio that Tab comes to: the one that is chosen, else the first that can be. */
export function tabStop<V>(
  choices: readonly { readonly value: V; readonly disabled?: boolean }[],
  chosen: V,
): V | undefined {
  const enabled = choices.filter(({ disabled }) => disabled !== true);
  return (enabled.find(({ value }) => value === chosen) ?? enabled[0])?.value;
}
