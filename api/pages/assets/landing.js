const EVERY_MS = 5000;
const status = document.querySelector('.status');
const title = document.querySelector('#state');

const plural = (count, noun) => `${count} ${noun}`;

const TEXTS = {
  queues: ({ waiting, active, failed }) =>
    [plural(active, 'running'), plural(waiting, 'waiting'), failed && plural(failed, 'failed')]
      .filter(Boolean)
      .join(', '),
  vectors: ({ name }) => ({ lancedb: 'LanceDB', qdrant: 'Qdrant' })[name] ?? name,
  embedding: ({ name, text }) => text ?? name,
};

const textOf = (id, part) => {
  if (!part.ok) return 'does not answer';
  return TEXTS[id]?.(part) ?? `answers in ${part.ms} ms`;
};

const show = ({ status: state, parts }) => {
  status.classList.toggle('down', state !== 'ok');
  title.textContent = state === 'ok' ? 'Everything works' : 'Something is down';
  for (const [id, part] of Object.entries(parts)) {
    const line = status.querySelector(`[data-part="${id}"]`);
    if (!line) continue;
    line.className = part.ok ? 'ok' : 'down';
    line.querySelector('span').textContent = textOf(id, part);
  }
};

const away = () => {
  status.classList.add('down');
  title.textContent = 'The server does not answer';
  for (const line of status.querySelectorAll('li')) line.className = '';
};

const look = async () => {
  try {
    const response = await fetch('/health/ready');
    show(await response.json());
  } catch {
    away(); // it may come back: the next look tells
  }
  setTimeout(look, EVERY_MS);
};

void look();
