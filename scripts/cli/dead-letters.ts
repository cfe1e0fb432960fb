/** `npm run cli -- dead-letters …` */
import type { Command } from 'commander';
import { listDeadLetters } from '#shared/domain/events/dead-letters.ts';
import { replayDeadLetter } from '#shared/domain/operations/replay-dead-letter.ts';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import { withMongo, withQueues } from './connections.ts';
import { formatTable } from './print.ts';

const HEADER = ['dead letter', 'date', 'failed by', 'event', 'record', 'error', 'replay after'];

const printDeadLetters = async (): Promise<void> => {
  const rows = (await listDeadLetters()).map(({ _id, createdAt, failedBy, event, record, message, replayAfter }) => [
    ...[_id, createdAt.toISOString(), failedBy, event ?? '', record ?? '', message.replace(/\s+/g, ' '), replayAfter],
  ]);
  console.log(formatTable([HEADER, ...rows]));
};

const replay = async (id: string): Promise<void> => {
  await recordCliAction('dead-letters replay', id);
  await replayDeadLetter(id);
  console.log(`The event of the dead letter ${id} will be processed again.`);
};

/** Adds the `dead-letters` commands. */
export const addDeadLetterCommands = (program: Command): void => {
  const command = program.command('dead-letters').description('events that could not be relayed or processed');
  command
    .command('list')
    .description(
      'list the newest 100 dead letters, oldest first; with the cursor in the `replay after` column, `listeners replay <name> --after <cursor>` processes the event of the dead letter and all later events again',
    )
    .action(() => withMongo(printDeadLetters));
  command
    .command('replay <dead-letter...>')
    .description(
      'process the event of a dead letter again, for example to repeat a failed call to a bot; an id with spaces needs no quotation marks',
    )
    .action((words: string[]) => withMongo(() => withQueues(() => replay(words.join(' ')))));
};
