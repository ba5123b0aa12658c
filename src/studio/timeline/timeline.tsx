/** Time: lanes, playhead, tools. */
export function Timeline() {
  return <section class="timeline" id="timeline" tabIndex={-1} aria-label="Timeline" />;
}
