/** `npm run cli -- listeners …` */
import type { Command } from 'commander';
import { countUnhandled } from '#shared/domain/events/deferred-events.ts';
import {
  countPending,
  cursorOf,
  findListener,
  listeners,
  replay,
  wakeListener,
} from '#shared/domain/events/listeners.ts';
import { formatCount } from '#shared/format-count.ts';
import { withMongo, withQueues } from './connections.ts';
import { formatTable } from './print.ts';

const listListeners = async (): Promise<void> => {
  const rows = listeners.map(async (listener) => {
    const { deferred, dead } = await countUnhandled(listener);
    return [
      listener.name,
      await countPending(listener),
      deferred,
      dead,
      await cursorOf(listener.name),
      listener.on.join(' '),
    ];
  });
  console.log(
    formatTable([
      ['listener', 'pending', 'deferred', 'dead letters', 'cursor', 'events'],
      ...(await Promise.all(rows)),
    ]),
  );
};

const replayAfter = async (name: string, cursor: string): Promise<void> => {
  const listener = findListener(name);
  await replay(listener, cursor);
  await wakeListener(listener);
  console.log(`${name} will process ${formatCount(await countPending(listener), 'event')} again.`);
};

/** Adds the `listeners` commands. */
export const addListenerCommands = (program: Command): void => {
  const command = program.command('listeners').description('jobs that run for events');
  command
    .command('list')
    .description('count the pending events, deferred events (set aside for later) and dead letters of each listener')
    .action(() => withMongo(listListeners));
  command
    .command('replay <name>')
    .description('process past events again; repeated events have no second effect')
    .requiredOption('--after <cursor>', 'the position after which to start; 0 for all retained events')
    .action((name: string, { after }: { after: string }) =>
      withMongo(() => withQueues(() => replayAfter(name, after))),
    );
};
