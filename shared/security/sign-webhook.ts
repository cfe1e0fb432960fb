/** Signs outgoing calls according to Standard Webhooks, so that receivers can verify their origin. */
import { createHmac } from 'node:crypto';
import { currentTimeMs } from '../time/clock.ts';

/** An outgoing call: an id that is the same in every attempt, and the body as a string. */
interface SignedCall {
  id: string;
  body: string;
  /** The current secret; during a rotation, also the previous one. */
  secrets: string[];
}

/**
 * Returns the headers `webhook-id`, `webhook-timestamp` (Unix time in seconds) and `webhook-signature`: for each
 * secret, `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`, keyed with the UTF-8 bytes of the secret.
 */
export const signedHeaders = ({ id, body, secrets }: SignedCall): Record<string, string> => {
  const timestamp = String(Math.floor(currentTimeMs() / 1000));
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};
