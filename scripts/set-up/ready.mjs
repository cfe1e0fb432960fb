/** Waiting for the API: until every part is up, saying meanwhile which is not. */
import { SetUpError } from './errors.mjs';
import { until } from './processes.mjs';

const PATIENCE = 120_000;
const SAY_AFTER = 8000;

async function ask(url) {
  try {
    const reply = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) });
    const text = await reply.text();
    const { invitations } = reply.ok ? JSON.parse(text) : {};
    return { ready: reply.ok, invitations, text: text.slice(0, 400) };
  } catch (error) {
    return { ready: false, text: `the API does not answer (${error.cause?.code ?? error.name})` };
  }
}

/** Resolve when `GET /health/ready` answers 200, with what it says of invitations; else a `SetUpError` with its last answer, which names what is down. */
export async function untilReady(url, { logs, progress }) {
  const since = Date.now();
  let last;
  let said;
  const check = async () => {
    last = await ask(url);
    if (!last.ready && last.text !== said && Date.now() - since > SAY_AFTER) {
      said = last.text;
      progress(`not ready yet: ${said}`);
    }
    return last.ready;
  };
  if (await until(check, { timeout: PATIENCE, every: 100 })) return { invitations: last.invitations };
  throw new SetUpError('The system started but does not get ready.', {
    tried: [`${url}/health/ready: ${last.text}`],
    waysOut: [`read the logs in ${logs}`, 'start again: nothing is lost', 'npm start -- --help tells the settings'],
  });
}
