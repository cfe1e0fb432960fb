/** `npm run cli`: administration commands of an instance. Exit codes: 0 success, 1 failure, 2 wrong usage. */
import { Command } from 'commander';
import { AppError } from '#shared/errors.ts';
import { addAccounts } from './cli/accounts.ts';
import { addJobs } from './cli/jobs.ts';
import { addKb } from './cli/kb.ts';
import { addListeners } from './cli/listeners.ts';
import { addRequests } from './cli/requests.ts';
import { addRoles } from './cli/roles.ts';
import { addSeed } from './cli/seed.ts';

const WRONG_USAGE = 2;

const program = new Command('npm run cli --')
  .description('Administration of this instance; settings come from the environment')
  .exitOverride(({ exitCode }) => process.exit(exitCode && WRONG_USAGE));

addKb(program);
addJobs(program);
addListeners(program);
addRequests(program);
addRoles(program);
addSeed(program);
addAccounts(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof AppError ? error.message : error);
  process.exitCode = 1;
}
