// Follows the export shown on this page. The server renders the page: if more than numbers change, the script fetches
// the main part again and replaces it. The player is outside of it and stays.

import { Player } from '/assets/watch.js';

/** The interval of polls; doubled while nothing changes. */
const SHORTEST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

const place = document.getElementById('player');
const player = new Player(place);
let following = false;

function shown() {
  return document.getElementById('export');
}

function rowOf(preset) {
  return document.querySelector(`tr[data-preset="${CSS.escape(preset)}"]`);
}

/** The properties of a preset that the player needs, from the table. */
function videoOf(preset) {
  const { stream, mp4, width, height, done } = rowOf(preset).dataset;
  return { stream, mp4, poster: place.dataset.poster, width, height, done: done === 'yes' };
}

/** Shows a preset in the player. */
function watch(preset, { play }) {
  place.dataset.preset = preset;
  markShown();
  const label = rowOf(preset).dataset.done === 'yes' ? '' : 'Waiting for the first seconds …';
  if (!place.querySelector('video')) place.querySelector('p')?.replaceChildren(label);
  return player.show(videoOf(preset), { play });
}

/** Marks the preset that is in the player. */
function markShown() {
  for (const button of document.querySelectorAll('button[data-watch]')) {
    button.hidden = false;
    button.setAttribute('aria-pressed', String(button.dataset.watch === place.dataset.preset));
  }
}

function showFigures({ state, progress, outputs }) {
  const bar = document.getElementById('progress');
  const status = document.getElementById('status');
  if (bar) bar.value = progress;
  if (status) {
    status.textContent = state === 'rendering' ? `Rendering … ${Math.floor(progress * 100)} %` : 'Queued …';
  }
  for (const [preset, output] of Object.entries(outputs)) {
    const cell = rowOf(preset)?.querySelector('.output-state');
    if (cell && (output.state === 'queued' || output.state === 'rendering'))
      cell.textContent = `${output.state}, ${Math.floor(output.progress * 100)} %`;
  }
}

/** Updates the main part. Returns whether it changed; null if the export no longer exists. @throws if the fetch fails. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (answer.status === 404) {
    showGone();
    return null;
  }
  if (!answer.ok) throw new Error(`${answer.status}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = fresh.getElementById('export');
  const current = shown();
  const changed = next.textContent !== current.textContent;
  current.replaceWith(next);
  if (place) settlePlayer();
  return changed;
}

/** The export was deleted or has expired, so no link of the page works. */
function showGone() {
  const words = document.createElement('p');
  words.setAttribute('role', 'status');
  words.textContent = 'This export was deleted or has expired.';
  shown().replaceChildren(words);
  shown().dataset.settled = 'yes';
  following = false;
  if (!place) return;
  player.fail();
  if (!place.querySelector('video')) place.replaceChildren();
}

/** Updates the player to the state of its preset. */
function settlePlayer() {
  markShown();
  const { preset, showing } = place.dataset;
  const { done, failed } = rowOf(preset).dataset;
  if (failed === 'yes') {
    player.fail();
    if (!place.querySelector('video')) place.replaceChildren();
  }
  if (done === 'yes' && showing !== 'video' && !player.finish(videoOf(preset))) watch(preset, { play: false });
}

/** Keeps the page up to date until no preset changes any more. */
function keepUp() {
  if (following || shown()?.dataset.settled !== 'no') return;
  following = true;
  if (shown().dataset.live === 'yes') follow();
  else look(SHORTEST_PAUSE_MS);
}

function follow() {
  const stream = new EventSource(shown().dataset.events);
  stream.addEventListener('progress', (event) => showFigures(JSON.parse(event.data)));
  stream.addEventListener('state', async (event) => {
    const { state, ...figures } = JSON.parse(event.data);
    if (state === 'queued' || state === 'rendering') {
      showFigures({ state, ...figures });
      return;
    }
    await refresh().catch(() => false);
    if (shown().dataset.settled !== 'yes') return;
    stream.close();
    following = false;
  });
  stream.addEventListener('error', () => {
    // The session has ended, or the stream is not available: polls instead.
    if (stream.readyState === EventSource.CLOSED) look(SHORTEST_PAUSE_MS);
  });
}

function look(pauseMs) {
  following = shown().dataset.settled !== 'yes';
  if (!following) return;
  setTimeout(async () => {
    const changed = await refresh().catch(() => false);
    if (changed !== null) look(changed ? SHORTEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2));
  }, pauseMs);
}

document.addEventListener('click', async ({ target }) => {
  const preset = target.closest?.('button[data-watch]')?.dataset.watch;
  if (preset === undefined) return;
  place.scrollIntoView({ block: 'nearest' });
  await watch(preset, { play: true });
  // The click may have started a render.
  if (shown().dataset.settled === 'yes' && rowOf(preset).dataset.done !== 'yes') await refresh();
  keepUp();
});
document.getElementById('sign-out')?.addEventListener('click', async () => {
  await fetch('/session', { method: 'DELETE' });
  location.reload();
});

if (place) {
  const { state } = shown().dataset;
  markShown();
  if (state === 'queued' || state === 'rendering') watch(place.dataset.preset, { play: false });
}
keepUp();
