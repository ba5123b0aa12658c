/** The shape of a format. */
export function PresetIcon({ width, height }: { readonly width: number; readonly height: number }) {
  return <span class={`oi ${width > height ? 'l' : width < height ? 'p' : 's'}`} aria-hidden="true" />;
}
