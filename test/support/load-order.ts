/**
 * Import this module with `--import`, so that it runs before the process's own code. It prints how many commands had
 * been sent to the queues by the time LanceDB began to load; loading blocks the process, so a command still waiting for
 * its reply may time out.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { config } from '#shared/config.ts';

let commands = 0;

/** Keys of queues have a hash tag, which begins with the prefix; keys of rate limits have none. */
subscribe('tracing:ioredis:command:start', (message) => {
  const { args } = message as { args: string[] };
  if (args.some((arg) => arg.startsWith(`{${config.QUEUE_PREFIX}:`))) commands += 1;
});

const load = process.dlopen;
process.dlopen = (...args) => {
  const [, file] = args;
  if (file.includes('lancedb')) writeSync(process.stdout.fd, `LanceDB loads after ${commands} commands to queues\n`);
  load.apply(process, args);
};
