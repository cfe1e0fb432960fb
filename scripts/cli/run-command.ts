/** The commands of `npm run cli`, and their exit codes. */
import { Command, CommanderError } from 'commander';
import { AppError } from '#shared/errors.ts';
import { addAccountCommands } from './accounts.ts';
import { addAnalyticsCommands } from './analytics.ts';
import { addDeadLetterCommands } from './dead-letters.ts';
import { addFileCommands } from './files.ts';
import { addJobCommands } from './jobs.ts';
import { addKbCommands } from './kb.ts';
import { addListenerCommands } from './listeners.ts';
import { addRequestCommands } from './requests.ts';
import { addRoleCommand } from './roles.ts';
import { addSeedCommand } from './seed.ts';
import { addWebhookCommands } from './webhooks.ts';

const FAILURE = 1;
const WRONG_USAGE = 2;

const COMMANDS = [
  addKbCommands,
  addJobCommands,
  addFileCommands,
  addListenerCommands,
  addWebhookCommands,
  addDeadLetterCommands,
  addRequestCommands,
  addRoleCommand,
  addSeedCommand,
  addAnalyticsCommands,
  addAccountCommands,
];

const createProgram = (): Command => {
  const program = new Command('npm run cli --')
    .description('Administration of this instance; settings come from the environment')
    .exitOverride();
  for (const add of COMMANDS) add(program);
  return program;
};

/**
 * Runs the command that the arguments name, and sets `process.exitCode`: 1 if it failed, 2 if its usage is wrong. It is
 * unchanged after success, unless the command itself sets it.
 */
export const runCommand = async (args: string[]): Promise<void> => {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode) process.exitCode = WRONG_USAGE;
      return;
    }
    console.error(error instanceof AppError ? error.message : error);
    process.exitCode = FAILURE;
  }
};
