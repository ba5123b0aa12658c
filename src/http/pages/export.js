// Follows the export shown on this page. The page itself is made by the server: where it changes in more than figures,
// its main part is fetched anew and put in place.

const POLL_MS = 2000;

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
    if (cell && output.state !== 'completed')
      cell.textContent = `${output.state}, ${Math.floor(output.progress * 100)} %`;
  }
}

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (!answer.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = fresh.getElementById('export');
  const current = shown();
  // A player that is there already stays: replacing it would stop what someone watches.
  const playing = current.querySelector('video');
  if (playing) next.querySelector('video')?.replaceWith(playing);
  current.replaceWith(next);
  return true;
}

function follow() {
  const stream = new EventSource(shown().dataset.events);
  stream.addEventListener('progress', (event) => showFigures(JSON.parse(event.data)));
  stream.addEventListener('state', async (event) => {
    showFigures(JSON.parse(event.data));
    await refresh();
    if (shown().dataset.final === 'yes') stream.close();
  });
  stream.addEventListener('error', () => {
    // A deployment with keys lets no page read events: look now and then instead.
    if (stream.readyState === EventSource.CLOSED && shown().dataset.final !== 'yes') poll();
  });
}

function poll() {
  setTimeout(async () => {
    const there = await refresh().catch(() => true);
    if (there && shown().dataset.final !== 'yes') poll();
  }, POLL_MS);
}

if (shown()?.dataset.final === 'no') follow();
