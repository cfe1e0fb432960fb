/** `npm run cli`: administration commands of an instance. Exit codes: 0 success, 1 failure, 2 wrong usage. */
import { Command } from 'commander';
import { AppError } from '#shared/errors.ts';

const WRONG_USAGE = 2;

const program = new Command('npm run cli --')
  .description('Administration of this instance; settings come from the environment')
  .exitOverride(({ exitCode }) => process.exit(exitCode && WRONG_USAGE));

/** The commands, by the first word of the command line. Only the modules of the given command are loaded. */
const groups: Record<string, () => Promise<(program: Command) => void>> = {
  kb: async () => (await import('./cli/kb.ts')).addKbCommands,
  jobs: async () => (await import('./cli/jobs.ts')).addJobCommands,
  files: async () => (await import('./cli/files.ts')).addFileCommands,
  listeners: async () => (await import('./cli/listeners.ts')).addListenerCommands,
  webhooks: async () => (await import('./cli/webhooks.ts')).addWebhookCommands,
  'dead-letters': async () => (await import('./cli/dead-letters.ts')).addDeadLetterCommands,
  requests: async () => (await import('./cli/requests.ts')).addRequestCommands,
  roles: async () => (await import('./cli/roles.ts')).addRoleCommand,
  seed: async () => (await import('./cli/seed.ts')).addSeedCommand,
  analytics: async () => (await import('./cli/analytics.ts')).addAnalyticsCommands,
  accounts: async () => (await import('./cli/accounts.ts')).addAccountCommands,
};

const [givenGroup = ''] = process.argv.slice(2);
// For the help, and for an unknown command, all of them are loaded.
const isKnown = Object.hasOwn(groups, givenGroup);
for (const [name, load] of Object.entries(groups)) if (!isKnown || name === givenGroup) (await load())(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof AppError ? error.message : error);
  process.exitCode = 1;
}
