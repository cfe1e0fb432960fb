/** Runs a listener in a process that kills itself after the third effect, before the listener's cursor is written. */
import { connectMongo } from '#shared/database/connection.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import { recordEffect, TEST_EVENTS } from './test-listeners.ts';

const [name = ''] = process.argv.slice(2);
let effectCount = 0;

await connectMongo();
await consumeEvents({
  name,
  on: TEST_EVENTS,
  attempts: 1,
  handle: async (ref) => {
    await recordEffect(name, ref);
    effectCount += 1;
    if (effectCount === 3) process.kill(process.pid, 'SIGKILL');
  },
});
