const REFRESH_INTERVAL_MS = 5000;
const status = document.querySelector('.status');
const title = document.querySelector('#state');

const TEXTS = {
  queues: ({ waiting, active, failed }) =>
    [`${active} running`, `${waiting} waiting`, failed && `${failed} failed`].filter(Boolean).join(', '),
  vectors: ({ name }) => ({ lancedb: 'LanceDB', qdrant: 'Qdrant' })[name] ?? name,
  embedding: ({ name, text }) => text ?? name,
};

const textOf = (id, part) => {
  if (!part.ok) return 'not responding';
  return TEXTS[id]?.(part) ?? `responds in ${part.ms} ms`;
};

const showReadiness = ({ status: state, parts }) => {
  status.classList.toggle('down', state !== 'ok');
  title.textContent = state === 'ok' ? 'All systems operational' : 'Something is down';
  for (const [id, part] of Object.entries(parts)) {
    const item = status.querySelector(`[data-part="${id}"]`);
    if (!item) continue;
    item.className = part.ok ? 'ok' : 'down';
    item.querySelector('span').textContent = textOf(id, part);
  }
};

const ask = document.querySelector('#ask');

let conversation;

/** Asks the question in the form. The code for conversations is loaded with the first question. */
const askQuestion = async () => {
  const { startConversation } = await import('./ask.js');
  conversation ??= startConversation(ask.querySelector('ol'), ask.dataset.project);
  const question = ask.question.value.trim();
  ask.question.value = '';
  await (await conversation)(question);
};

ask?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const problem = ask.querySelector('[role="alert"]');
  problem.textContent = '';
  try {
    await askQuestion();
  } catch (error) {
    problem.textContent = error.message;
  }
});

const showUnreachable = () => {
  status.classList.add('down');
  title.textContent = 'The server does not respond';
  for (const item of status.querySelectorAll('li')) item.className = '';
};

const refresh = async () => {
  try {
    const response = await fetch('/health/ready');
    showReadiness(await response.json());
  } catch {
    showUnreachable(); // until the next refresh succeeds
  }
  setTimeout(refresh, REFRESH_INTERVAL_MS);
};

void refresh();
