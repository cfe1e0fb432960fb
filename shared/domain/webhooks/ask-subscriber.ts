/**
 * Posts the event `operator.select` to a subscription and waits for the answer. The event is posted once, while a
 * conversation is being assigned, and is not recorded in the changes log.
 */
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { logger } from '../../logger.ts';
import { readSubscription } from './active-subscription.ts';
import { type AttemptResult, buildAttempt, isSuccess, logAttempts } from './attempts.ts';
import { type Circuit, type CircuitKey, claimProbe, readCircuits } from './circuit.ts';
import { signedRequest } from './delivery-request.ts';
import { postWebhook } from './post-webhook.ts';
import { recordResult } from './record-result.ts';
import { SYNCHRONOUS_EVENT } from './subscribable-events.ts';

/** A conversation waits at most this long for an answer. */
const MAX_WAIT_MS = 3000;
const MAX_ANSWER_BYTES = 65_536;

const LIMITS = {
  timeoutMs: Math.min(MAX_WAIT_MS, config.WEBHOOK_TIMEOUT_SECONDS * 1000),
  maxBytes: MAX_ANSWER_BYTES,
};

const parseAnswer = (result: AttemptResult): unknown => {
  if (!isSuccess(result)) return null;
  try {
    return JSON.parse(result.body ?? '');
  } catch {
    return null;
  }
};

/** Returns whether the event may be posted: while the circuit is open, only as its due probe. */
const maySend = async (key: CircuitKey, { retryAt }: Circuit): Promise<boolean> => !retryAt || claimProbe(key);

/**
 * Posts a payload to the target of a subscription, and returns the parsed JSON of the answer; null if there is no valid
 * answer. While the circuit of the subscription is open, posts the payload only as the due probe, and otherwise returns
 * null. Never throws.
 */
export const askSubscriber = async (key: CircuitKey, payload: object): Promise<unknown> => {
  try {
    const { id_project, subscription: _id } = key;
    const [subscription, circuits] = await Promise.all([readSubscription(key), readCircuits(id_project, [_id])]);
    const circuit = circuits.get(_id) as Circuit;
    if (!subscription || !(await maySend(key, circuit))) return null;
    const id = `msg_ask_${newId()}`;
    const request = signedRequest(subscription, { id, id_project, payload });
    const result = await postWebhook(request, LIMITS);
    const attempt = { _id: id, ...key, event: SYNCHRONOUS_EVENT, attemptsMade: 0 };
    await logAttempts([buildAttempt(attempt, { url: request.url, json: request.loggedJson }, result)]);
    await recordResult(key, circuit, result);
    return parseAnswer(result);
  } catch (error) {
    logger.warn({ ...key, err: error }, 'asking a subscriber to select an agent failed; the default selection applies');
    return null;
  }
};
