/** The radio that Tab focuses: the selected one, else the first that is enabled. */
export function tabStop<V>(
  choices: readonly { readonly value: V; readonly disabled?: boolean }[],
  chosen: V,
): V | undefined {
  const enabled = choices.filter(({ disabled }) => disabled !== true);
  return (enabled.find(({ value }) => value === chosen) ?? enabled[0])?.value;
}
