export function Inspector() {
  return <div class="inspector" />;
}
