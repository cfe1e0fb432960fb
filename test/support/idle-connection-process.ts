/**
 * Connects to MongoDB, and sends its parent the number of timers that start in one second without commands. Only the
 * driver's heartbeats should start timers then.
 */
import { createHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectMongo } from '#shared/database/connection.ts';

/** After this time, the driver has opened all connections that it opens on its own. */
const SETTLE_MS = 3000;
const COUNTED_MS = 1000;

await connectMongo();
await sleep(SETTLE_MS);
let timers = 0;
const hook = createHook({
  init: (_id, type) => {
    if (type === 'Timeout') timers += 1;
  },
});
const end = sleep(COUNTED_MS);
hook.enable();
await end;
hook.disable();
process.send?.(timers, () => process.exit());
