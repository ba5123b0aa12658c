/**
 * The editor of requests on the page of endpoints. Nothing of the address of the page is read, a request goes to this
 * origin only, and what comes back is shown as text or as a picture.
 */

/** A response with more is cut: the page stays usable. */
const MOST_CHARACTERS = 100_000;

const form = document.querySelector('#try form');
const { method, path, body, key, at } = form.elements;
const [status, text, picture] = ['output', 'pre', 'img'].map((name) => document.querySelector(`#try ${name}`));
/** The request under way: a new one ends it. */
let current = new AbortController();

function say(words) {
  status.textContent = words;
}

/** @throws Error with what is wrong, for the reader */
function addressOf(typed) {
  const url = new URL(typed, location.origin);
  if (url.origin !== location.origin) throw new Error('The address must be a path of this service, such as /limits.');
  const [, open] = /\{([^{}]*)\}/.exec(decodeURI(url.pathname)) ?? [];
  if (open !== undefined) throw new Error(`Replace {${open}} in the address.`);
  return url;
}

/** @throws Error with what is wrong, for the reader */
function documentOf(typed) {
  try {
    return JSON.parse(typed);
  } catch (error) {
    throw new Error(`The body is not JSON: ${error.message}`);
  }
}

/** As much of a response as is shown; a stream of events is shown as it comes. */
async function showText(response) {
  const decoder = new TextDecoder();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  let read = '';
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader.read()) {
    read += decoder.decode(next.value, { stream: true });
    if (read.length > MOST_CHARACTERS) {
      current.abort();
      text.textContent = `${read.slice(0, MOST_CHARACTERS)}\n…`;
      return;
    }
    if (!isJson) text.textContent = read;
  }
  text.textContent = read;
  if (!isJson || read === '') return;
  try {
    text.textContent = JSON.stringify(JSON.parse(read), null, 2);
  } catch {
    // Shown as it came.
  }
}

function showPicture(blob) {
  if (picture.src !== '') URL.revokeObjectURL(picture.src);
  picture.src = URL.createObjectURL(blob);
  picture.hidden = false;
}

async function send(way, url, sent, headers = {}) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  say('Waiting for the response …');
  text.textContent = '';
  picture.hidden = true;
  if (key.value !== '') headers['x-api-key'] = key.value;
  if (sent !== undefined) headers['content-type'] = 'application/json';
  const begun = performance.now();
  const response = await fetch(url, { method: way, headers, body: sent, signal, cache: 'no-store' });
  const type = response.headers.get('content-type') ?? '';
  const frame = response.headers.get('tiercut-frame');
  const which = frame === null ? '' : `, frame ${frame} of ${response.headers.get('tiercut-frames')}`;
  const taken = ((performance.now() - begun) / 1000).toFixed(1);
  say(`${response.status}${response.statusText && ` ${response.statusText}`} after ${taken} s${which}`);
  // SVG is text here: a picture of ours is never one.
  if (/^image\/(png|jpeg|webp)$/.test(type)) showPicture(await response.blob());
  else if (/^(video|audio|application\/(zip|octet-stream))/.test(type)) {
    await response.body?.cancel();
    text.textContent = `${type}, ${response.headers.get('content-length') ?? '?'} bytes: open ${url.pathname} to save it.`;
  } else await showText(response);
}

/** Runs what a button asks for, and says why it failed. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name === 'AbortError') return;
    say(error instanceof TypeError && !navigator.onLine ? 'The service cannot be reached.' : error.message);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const showsFrame = event.submitter?.name === 'frame';
  void attempt(() => {
    if (!showsFrame) {
      const takesBody = method.value !== 'GET' && method.value !== 'DELETE' && body.value.trim() !== '';
      if (takesBody) documentOf(body.value);
      return send(method.value, addressOf(path.value), takesBody ? body.value : undefined);
    }
    const document = documentOf(body.value);
    const url = addressOf('/video/frames');
    return send('POST', url, JSON.stringify({ ...document, at: at.valueAsNumber || 0 }), { accept: 'image/webp' });
  });
});

for (const button of document.querySelectorAll('button[data-try]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const operation = button.closest('details');
    method.value = button.dataset.try;
    path.value = operation.querySelector('summary code').textContent;
    body.value = operation.querySelector('.example')?.textContent ?? '';
    say('');
    text.textContent = '';
    picture.hidden = true;
    document.getElementById('try').scrollIntoView();
    path.focus();
  });
}
document.getElementById('try').hidden = false;
