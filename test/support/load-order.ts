/**
 * Prints how many Redis commands a process has sent to its queues when it begins to load LanceDB, which blocks the
 * process: a command that waits for its reply meanwhile may time out. It is loaded before the code of the process, with
 * `--import`.
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
