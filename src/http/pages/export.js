// Follows the export shown on this page. The page itself is made by the server: where it changes in more than figures,
// its main part is fetched anew and put in place.

/** Between looks; doubled as long as nothing has changed. */
const SHORTEST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

function shown() {
  return document.getElementById('export');
}

function showFigures({ state, progress, outputs }) {
  const bar = document.getElementById('progress');
  const status = document.getElementById('status');
  if (bar) bar.value = progress;
  if (status) {
    status.textContent =
      state === 'rendering' ? `Rendering … ${Math.floor(progress * 100)} %` : 'Waiting for its turn …';
  }
  for (const [preset, output] of Object.entries(outputs)) {
    const cell = document.querySelector(`tr[data-preset="${CSS.escape(preset)}"] .output-state`);
    if (cell && output.state !== 'completed' && output.state !== 'failed')
      cell.textContent = `${output.state}, ${Math.floor(output.progress * 100)} %`;
  }
}

/** Shows the page's main part as it is now. Tells whether anything was different; null where the export is gone. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (!answer.ok) return null;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = fresh.getElementById('export');
  const current = shown();
  const changed = next.textContent !== current.textContent;
  // A player that is there already stays: replacing it would stop what someone watches.
  const playing = current.querySelector('video');
  if (playing) next.querySelector('video')?.replaceWith(playing);
  current.replaceWith(next);
  return changed;
}

/** Live until no shape changes any more. */
function follow() {
  const stream = new EventSource(shown().dataset.events);
  stream.addEventListener('progress', (event) => showFigures(JSON.parse(event.data)));
  stream.addEventListener('state', async (event) => {
    const { state, ...figures } = JSON.parse(event.data);
    if (state !== 'completed' && state !== 'failed' && state !== 'cancelled') {
      showFigures({ state, ...figures });
      return;
    }
    await refresh();
    if (shown().dataset.settled === 'yes') stream.close();
  });
  stream.addEventListener('error', () => {
    // The session has ended meanwhile, or the stream cannot be had: look now and then instead.
    if (stream.readyState === EventSource.CLOSED) look(SHORTEST_PAUSE_MS);
  });
}

function look(pauseMs) {
  if (shown().dataset.settled === 'yes') return;
  setTimeout(async () => {
    const changed = await refresh().catch(() => false);
    if (changed !== null) look(changed ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2));
  }, pauseMs);
}

if (shown()?.dataset.settled === 'no') {
  if (shown().dataset.live === 'yes') follow();
  else look(SHORTEST_PAUSE_MS);
}
document.getElementById('sign-out')?.addEventListener('click', async () => {
  await fetch('/session', { method: 'DELETE' });
  location.reload();
});
