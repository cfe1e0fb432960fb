/** `npm run cli -- listeners …` */
import type { Command } from 'commander';
import { count } from '#shared/domain/events/kept-aside.ts';
import { cursorOf, hearerOf, hearers, lag, replay, wake } from '#shared/domain/events/listeners.ts';
import { many, table } from './print.ts';
import { withQueues, withRecords } from './services.ts';

const list = async (): Promise<void> => {
  const rows = hearers.map(async (hearer) => {
    const { aside, dead } = await count(hearer);
    return [hearer.name, await lag(hearer), aside, dead, await cursorOf(hearer.name), hearer.on.join(' ')];
  });
  console.log(table([['listener', 'lag', 'aside', 'dead', 'cursor', 'events'], ...(await Promise.all(rows))]));
};

const replayAfter = async (name: string, cursor: string): Promise<void> => {
  const hearer = hearerOf(name);
  await replay(hearer, cursor);
  await wake(hearer);
  console.log(`${name} hears ${many(await lag(hearer), 'event')} again.`);
};

/** What can be asked of and done to the jobs on events. */
export const addListeners = (program: Command): void => {
  const listeners = program
    .command('listeners')
    .description('the jobs on events: how many wait, are kept aside for another try, or were given up')
    .action(() => withRecords(list));
  listeners
    .command('replay <name>')
    .description('let one hear again what it has heard; what it did is not done twice')
    .requiredOption('--after <cursor>', 'the position to begin after; 0: everything that is kept')
    .action((name: string, { after }: { after: string }) =>
      withRecords(() => withQueues(() => replayAfter(name, after))),
    );
};
