/** `npm run cli -- dead-letters …` */
import type { Command } from 'commander';
import { listDeadLetters } from '#shared/domain/events/dead-letters.ts';
import { withMongo } from './connections.ts';
import { formatTable } from './print.ts';

const HEADER = ['date', 'failed by', 'event', 'record', 'error', 'replay after'];

const printDeadLetters = async (): Promise<void> => {
  const rows = (await listDeadLetters()).map(({ createdAt, failedBy, event, record, message, replayAfter }) => [
    ...[createdAt.toISOString(), failedBy, event ?? '', record ?? '', message.replace(/\s+/g, ' '), replayAfter],
  ]);
  console.log(formatTable([HEADER, ...rows]));
};

/** Adds the `dead-letters` commands. */
export const addDeadLetterCommands = (program: Command): void => {
  program
    .command('dead-letters')
    .description('events that the relay or a listener has given up')
    .command('list')
    .description(
      'list the newest 100 dead letters, oldest first; `listeners replay --after` with the cursor in `replay after` processes the event and all later ones again',
    )
    .action(() => withMongo(printDeadLetters));
};
