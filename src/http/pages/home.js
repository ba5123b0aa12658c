// The form of the first page: sends what is written and dropped, then leads to the page of the export, which shows the rest.

const DOCUMENTS = ['tier_list', 'timeline_data', 'settings'];
const COLORS = ['#e4572e', '#17bebb', '#ffc914', '#2e86ab', '#76b041', '#a23b72', '#f18f01'];

const form = document.getElementById('form');
const result = document.getElementById('result');
const drop = document.getElementById('drop');
const picker = document.getElementById('files');
const chosenList = document.getElementById('chosen');
/** Files by the form field they are sent under. */
const chosen = new Map();

function showChosen() {
  chosenList.replaceChildren(
    ...[...chosen].map(([field, file]) => {
      const line = document.createElement('li');
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.className = 'plain';
      remove.textContent = `Remove ${file.name}`;
      remove.addEventListener('click', () => {
        chosen.delete(field);
        showChosen();
        picker.focus();
      });
      line.append(`${field} `, remove);
      return line;
    }),
  );
}

async function take(files) {
  for (const file of files) {
    const field = file.name.replace(/\.[^.]*$/, '');
    if (/\.json$/i.test(file.name) && DOCUMENTS.includes(field)) form.elements[field].value = await file.text();
    else chosen.set(field, file);
  }
  showChosen();
}

/** A picture with the item's initial, for items whose file nobody has chosen. */
async function drawPicture(name, index) {
  const canvas = document.createElement('canvas');
  canvas.width = 480;
  canvas.height = 480;
  const context = canvas.getContext('2d');
  context.fillStyle = COLORS[index % COLORS.length];
  context.fillRect(0, 0, 480, 480);
  context.fillStyle = 'rgb(255 255 255 / 20%)';
  context.beginPath();
  context.arc(240, 240, 190, 0, Math.PI * 2);
  context.fill();
  context.fillStyle = '#fff';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = 'bold 230px system-ui, sans-serif';
  const [first = '?'] = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  context.fillText(first, 240, 255, 440);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

async function fillForm() {
  const body = new FormData();
  for (const field of DOCUMENTS)
    if (form.elements[field].value.trim() !== '') body.append(field, form.elements[field].value);
  for (const [field, file] of chosen) body.append(field, file, file.name);
  for (const [index, item] of itemsOf(form.elements.tier_list.value).entries()) {
    const field = item?.file_field;
    if (typeof field !== 'string' || body.has(field)) continue;
    body.append(field, await drawPicture(String(item.name ?? item.id ?? ''), index), `${index}.png`);
  }
  return body;
}

/** The items, if the text can be read; what is wrong with it is the service's to say. */
function itemsOf(text) {
  try {
    const { items } = JSON.parse(text);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
}

function showIssues(title, issues, bad) {
  const card = element('div', undefined, bad ? 'card bad' : 'card');
  const list = element('ul', undefined, 'issues');
  for (const { path, code, message } of issues) {
    const line = element('li', `${message} `);
    line.append(element('code', `${path} ${code}`));
    list.append(line);
  }
  card.append(element('p', title), list);
  result.replaceChildren(card);
  card.tabIndex = -1;
  card.focus();
}

async function post(address, headers) {
  const key = document.getElementById('key')?.value;
  // The page that follows the export sends no headers with what it loads: a session says whose it is.
  if (key) {
    const session = await fetch('/session', {
      method: 'POST',
      body: JSON.stringify({ key }),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
    if (!session.ok) {
      showIssues((await session.json()).detail, [], true);
      return null;
    }
  }
  const answer = await fetch(address, {
    method: 'POST',
    body: await fillForm(),
    headers: { accept: 'application/json', ...headers },
  });
  const body = await answer.json();
  if (!answer.ok) showIssues(body.detail, body.errors.length > 1 ? body.errors : [], true);
  return answer.ok ? body : null;
}

async function busy(work) {
  const buttons = [...form.querySelectorAll('.actions button')];
  for (const button of buttons) button.disabled = true;
  result.replaceChildren(element('p', 'Sending …'));
  try {
    await work();
  } catch {
    showIssues('The service did not answer.', [], true);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void busy(async () => {
    const made = await post('/video/exports', { prefer: 'respond-async' });
    if (made) location.assign(made.links.page);
  });
});

document.getElementById('check').addEventListener('click', () => {
  void busy(async () => {
    const checked = await post('/video/exports/validate', {});
    if (!checked) return;
    showIssues(checked.warnings.length === 0 ? 'All is well.' : 'It works, with warnings:', checked.warnings, false);
    if (checked.plan) result.firstChild.append(element('pre', checked.plan));
  });
});

form.addEventListener('reset', () => {
  chosen.clear();
  showChosen();
  result.replaceChildren();
});

picker.addEventListener('change', () => {
  void take([...picker.files]); // the list itself is emptied below
  picker.value = '';
});

for (const name of ['dragover', 'dragleave', 'drop']) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name === 'drop') void take([...event.dataTransfer.files]);
  });
}
