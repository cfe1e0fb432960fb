/** `npm run cli`: administration commands of an instance. Exit codes: 0 success, 1 failure, 2 wrong usage. */
import { Command } from 'commander';
import { AppError } from '#shared/errors.ts';
import { addAccountCommands } from './cli/accounts.ts';
import { addAnalyticsCommands } from './cli/analytics.ts';
import { addDeadLetterCommands } from './cli/dead-letters.ts';
import { addFileCommands } from './cli/files.ts';
import { addJobCommands } from './cli/jobs.ts';
import { addKbCommands } from './cli/kb.ts';
import { addListenerCommands } from './cli/listeners.ts';
import { addRequestCommands } from './cli/requests.ts';
import { addRoleCommand } from './cli/roles.ts';
import { addSeedCommand } from './cli/seed.ts';
import { addWebhookCommands } from './cli/webhooks.ts';

const WRONG_USAGE = 2;

const program = new Command('npm run cli --')
  .description('Administration of this instance; settings come from the environment')
  .exitOverride(({ exitCode }) => process.exit(exitCode && WRONG_USAGE));

addKbCommands(program);
addJobCommands(program);
addFileCommands(program);
addListenerCommands(program);
addWebhookCommands(program);
addDeadLetterCommands(program);
addRequestCommands(program);
addRoleCommand(program);
addSeedCommand(program);
addAnalyticsCommands(program);
addAccountCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof AppError ? error.message : error);
  process.exitCode = 1;
}
