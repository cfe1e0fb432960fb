/** `npm run cli -- maintenance …` */
import { type Command, InvalidArgumentError } from 'commander';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import { beginMaintenance, endMaintenance, readControls } from '#shared/process/controls.ts';
import { withMongo } from './connections.ts';

const DEFAULT_RETRY_AFTER_SECONDS = 120;

const parseSeconds = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer from 1 to 999999.');
};

interface MaintenanceOptions {
  message?: string;
  retryAfter: number;
}

const turnOn = async ({ message, retryAfter }: MaintenanceOptions): Promise<void> => {
  const text = message ?? `The system is under maintenance; try again in ${retryAfter} s`;
  await recordCliAction('maintenance on', text);
  await beginMaintenance({ message: text, retryAfterSeconds: retryAfter });
  console.log(`Within 2 s, every API process will return 503 with Retry-After: ${retryAfter}. Workers keep running.`);
};

const turnOff = async (): Promise<void> => {
  await recordCliAction('maintenance off');
  await endMaintenance();
  console.log('Within 2 s, every API process will accept calls again.');
};

const printStatus = async ({ json }: { json?: true }): Promise<void> => {
  const { maintenance } = await readControls();
  if (json) console.log(JSON.stringify({ maintenance: maintenance ?? null }, null, 2));
  else if (!maintenance) console.log('Maintenance is off.');
  else console.log(`Maintenance has been on since ${maintenance.since.toISOString()}: ${maintenance.message}`);
};

/** Adds the `maintenance` commands. */
export const addMaintenanceCommands = (program: Command): void => {
  const command = program.command('maintenance').description('refuse API calls with 503 during planned maintenance');
  command
    .command('on')
    .description('refuse API calls; health checks, metrics, administrator pages, workers and this CLI keep working')
    .option('--message <text>', 'the text of the error')
    .option('--retry-after <seconds>', 'how long clients should wait', parseSeconds, DEFAULT_RETRY_AFTER_SECONDS)
    .action((options: MaintenanceOptions) => withMongo(() => turnOn(options)));
  command
    .command('off')
    .description('accept API calls again')
    .action(() => withMongo(turnOff));
  command
    .command('status')
    .description('show whether maintenance is on')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => withMongo(() => printStatus(options)));
};
