/** Checks of the relay, the listeners and the dead letters. */
import { countPending, listeners } from '../domain/events/listeners.ts';
import { relayState } from '../domain/events/relay-lease.ts';
import { formatCount } from '../format-count.ts';
import { DeadLetter } from '../models/dead-letter.ts';
import { currentTimeMs } from '../time/clock.ts';
import { type Check, error, type Finding, formatSeconds, warning } from './check.ts';

const MAX_RELAY_LAG_MS = 15_000;
const MAX_PENDING_EVENTS = 10_000;

const checkRelay = async (): Promise<Finding[]> => {
  const state = await relayState();
  const lagMs = state?.relayedUntil ? currentTimeMs() - state.relayedUntil.getTime() : 0;
  const hasHolder = state !== null && state.leaseUntil.getTime() > currentTimeMs() - MAX_RELAY_LAG_MS;
  const start = 'Start a worker whose queues include relay: npm run workers';
  if (!hasHolder) return [error('No relay is running, so clients and listeners receive no events', start)];
  if (lagMs < MAX_RELAY_LAG_MS) return [];
  return [
    error(
      `The relay is ${formatSeconds(lagMs / 1000)} behind`,
      'Look for "relay failed" in the log of the workers, and for slow queries in MongoDB.',
    ),
  ];
};

const checkListeners = async (): Promise<Finding[]> => {
  const pending = await Promise.all(listeners.map(async (each) => ({ each, count: await countPending(each) })));
  return pending
    .filter(({ count }) => count > MAX_PENDING_EVENTS)
    .map(({ each: { name }, count }) =>
      warning(`The listener ${name} has ${count} pending events`, 'Start more workers for the events queue.'),
    );
};

const checkDeadLetters = async (): Promise<Finding[]> => {
  const groups = await DeadLetter.aggregate<{ _id: string; count: number; code: string }>([
    { $group: { _id: '$failedBy', count: { $sum: 1 }, code: { $last: '$code' } } },
    { $sort: { count: -1 } },
  ]);
  return groups.map(({ _id, count, code }) =>
    warning(
      `${formatCount(count, 'dead letter')} of ${_id} in the last 30 days, for example with the code ${code}`,
      'npm run cli -- dead-letters list; after the cause is fixed: npm run cli -- dead-letters replay <dead letter>',
    ),
  );
};

export const eventChecks: Check[] = [
  { name: 'relay', needs: ['mongodb'], run: checkRelay },
  { name: 'listeners', needs: ['mongodb'], run: checkListeners },
  { name: 'dead letters', needs: ['mongodb'], run: checkDeadLetters },
];
