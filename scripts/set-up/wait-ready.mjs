/** Waits until the API and all of its services are ready, and reports the services that are not. */
import { SetUpError } from './errors.mjs';
import { waitUntil } from './processes.mjs';

const READY_TIMEOUT_MS = 120_000;
const REPORT_AFTER_MS = 8000;

async function checkReady(url) {
  try {
    const reply = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) });
    const text = await reply.text();
    const { invitations } = reply.ok ? JSON.parse(text) : {};
    return { ready: reply.ok, invitations, text: text.slice(0, 400) };
  } catch (error) {
    return { ready: false, text: `the API does not answer (${error.cause?.code ?? error.name})` };
  }
}

/**
 * Resolves with `{ invitations }`, the notice about who may accept invitations, when `GET /health/ready` returns 200;
 * otherwise throws a `SetUpError` with the last response, which names the services that are down.
 */
export async function waitUntilReady(url, { logs, progress }) {
  const since = Date.now();
  let last;
  let reportedText;
  const check = async () => {
    last = await checkReady(url);
    if (!last.ready && last.text !== reportedText && Date.now() - since > REPORT_AFTER_MS) {
      reportedText = last.text;
      progress(`not ready yet: ${reportedText}`);
    }
    return last.ready;
  };
  if (await waitUntil(check, { timeout: READY_TIMEOUT_MS, every: 100 })) return { invitations: last.invitations };
  throw new SetUpError('The system started but did not become ready.', {
    tried: [`${url}/health/ready: ${last.text}`],
    remedies: [`read the logs in ${logs}`, 'start again: no data is lost', 'see npm start -- --help for the settings'],
  });
}
