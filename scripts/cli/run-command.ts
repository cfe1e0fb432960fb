/** The commands of `npm run cli`, and their exit codes. */
import { Command, CommanderError } from 'commander';
import { AppError } from '#shared/errors.ts';

const FAILURE = 1;
const WRONG_USAGE = 2;

/** Adds commands to a program. */
type AddCommands = (program: Command) => void;

/** Functions that load the commands of a group, by the first word of the command line. */
const GROUPS = new Map<string, () => Promise<AddCommands>>([
  ['kb', async () => (await import('./kb.ts')).addKbCommands],
  ['queues', async () => (await import('./queues.ts')).addQueueCommands],
  ['people', async () => (await import('./people.ts')).addPeopleCommands],
  ['projects', async () => (await import('./projects.ts')).addProjectCommands],
  ['retention', async () => (await import('./retention.ts')).addRetentionCommands],
  ['backup', async () => (await import('./backup.ts')).addBackupCommands],
  ['files', async () => (await import('./files.ts')).addFileCommands],
  ['listeners', async () => (await import('./listeners.ts')).addListenerCommands],
  ['webhooks', async () => (await import('./webhooks.ts')).addWebhookCommands],
  ['dead-letters', async () => (await import('./dead-letters.ts')).addDeadLetterCommands],
  ['requests', async () => (await import('./requests.ts')).addRequestCommands],
  ['roles', async () => (await import('./roles.ts')).addRoleCommand],
  ['seed', async () => (await import('./seed.ts')).addSeedCommand],
  ['analytics', async () => (await import('./analytics.ts')).addAnalyticsCommands],
  ['config', async () => (await import('./config.ts')).addConfigCommands],
  ['doctor', async () => (await import('./doctor.ts')).addDoctorCommand],
  ['migrate', async () => (await import('./migrate.ts')).addMigrateCommands],
  ['maintenance', async () => (await import('./maintenance.ts')).addMaintenanceCommands],
  ['log-level', async () => (await import('./log-level.ts')).addLogLevelCommand],
  ['import', async () => (await import('./import.ts')).addImportCommand],
  ['accounts', async () => (await import('./accounts.ts')).addAccountCommands],
]);

/** Loads only the group that `name` names. For the help, and for an unknown name, loads all groups. */
const createProgram = async (name = ''): Promise<Command> => {
  const program = new Command('npm run cli --')
    .description('Administration of this instance; settings come from the environment')
    .exitOverride();
  const named = GROUPS.get(name);
  for (const load of named ? [named] : GROUPS.values()) (await load())(program);
  return program;
};

/**
 * Runs the command that the arguments name, and sets `process.exitCode`: 1 if the command failed, 2 if its usage is
 * wrong. The exit code is unchanged after success, unless the command sets it.
 */
export const runCommand = async (args: string[]): Promise<void> => {
  try {
    const program = await createProgram(args[0]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode) process.exitCode = WRONG_USAGE;
      return;
    }
    console.error(error instanceof AppError ? error.message : error);
    process.exitCode = FAILURE;
  }
};
