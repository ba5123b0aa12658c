export function Inspector() {
  return <aside class="insp" aria-label="Details" />;
}
