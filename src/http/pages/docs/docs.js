/** The search of the documentation: every word must occur in a section; headings count more. */

const MOST = 12;
const form = document.querySelector('form[role="search"]');
const input = document.querySelector('#search');
const found = document.querySelector('#found');
let sections = null;

/** Fetched at the first key press, because most visits do not search. */
async function loadSections() {
  sections ??= fetch('/docs/search.json').then((response) => response.json());
  return sections;
}

function score({ page, title, text }, words) {
  const [heading, whole] = [`${title} ${page}`.toLowerCase(), `${title} ${page} ${text}`.toLowerCase()];
  if (!words.every((word) => whole.includes(word))) return 0;
  return (
    1 + words.filter((word) => heading.includes(word)).length * 10 + (title.toLowerCase() === words.join(' ') ? 50 : 0)
  );
}

function itemOf({ page, title, address }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.textContent = title;
  item.append(link);
  if (page !== title) item.append(` in ${page}`);
  return item;
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return found.replaceChildren();
  const all = await loadSections();
  const hits = all
    .map((section) => ({ section, points: score(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points);
  const items = hits.slice(0, MOST).map(({ section }) => itemOf(section));
  if (items.length > 0) return found.replaceChildren(...items);
  const none = document.createElement('li');
  none.textContent = 'Nothing found';
  found.replaceChildren(none);
}

form.hidden = false;
input.addEventListener('input', search);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || document.activeElement === input) return;
  event.preventDefault();
  input.focus();
});

/** A link to an endpoint opens it. */
function openTarget() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not decoded, because `%` need not start an escape.
  }
  const target = document.getElementById(id);
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener('hashchange', openTarget);
openTarget();
