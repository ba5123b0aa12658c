export function Board() {
  return <div class="board" />;
}
