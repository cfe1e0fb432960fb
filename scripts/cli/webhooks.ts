/** `npm run cli -- webhooks …` */
import type { Command } from 'commander';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import { countBacklog } from '#shared/domain/webhooks/count-backlog.ts';
import { replayDeliveries } from '#shared/domain/webhooks/replay.ts';
import { formatCount } from '#shared/format-count.ts';
import { withMongo, withQueues } from './connections.ts';
import { formatTable } from './print.ts';

const HEADER = ['project', 'subscription', 'open', 'given up', 'oldest'];

const printBacklog = async (): Promise<void> => {
  const rows = (await countBacklog()).map(({ _id: { id_project, subscription }, open, failed, oldest }) => [
    ...[id_project, subscription, open, failed, oldest?.toISOString() ?? ''],
  ]);
  console.log(formatTable([HEADER, ...rows]));
};

interface ReplayOptions {
  delivery?: string;
  after?: string;
  before?: string;
  failed?: true;
}

const replay = async (id_project: string, subscription: string, options: ReplayOptions): Promise<void> => {
  const { delivery, after, before, failed } = options;
  const times = { ...(after && { after: new Date(after) }), ...(before && { before: new Date(before) }) };
  const target = [id_project, subscription, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)];
  await recordCliAction('webhooks replay', target.join(' '));
  const count = await replayDeliveries({ id_project, subscription }, { delivery, failed, ...times });
  console.log(`Scheduled the delivery of ${formatCount(count, 'event')}.`);
};

/** Adds the `webhooks` commands. */
export const addWebhookCommands = (program: Command): void => {
  const command = program.command('webhooks').description('deliveries of events to the URLs of subscriptions');
  command
    .command('backlog')
    .description('list the subscriptions that have open (unfinished) deliveries or deliveries that were given up')
    .action(() => withMongo(printBacklog));
  command
    .command('replay <project> <subscription>')
    .description('schedule the delivery of retained events, in order and with the same ids (default: all of them)')
    .option('--delivery <id>', 'only this delivery (its webhook-id)')
    .option('--after <time>', 'only deliveries of events since this time (ISO 8601)')
    .option('--before <time>', 'only deliveries of events before this time (ISO 8601)')
    .option('--failed', 'only deliveries that were given up')
    .action((project: string, subscription: string, options: ReplayOptions) =>
      withMongo(() => withQueues(() => replay(project, subscription, options))),
    );
};
