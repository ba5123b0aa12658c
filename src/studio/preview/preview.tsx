/** The result, in the shape that is looked at. */
export function Preview() {
  return <div class="face preview" />;
}
