/** `npm run cli -- log-level` */
import { Argument, type Command } from 'commander';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import { LOG_LEVELS } from '#shared/logger.ts';
import { changeLogLevel, readControls } from '#shared/process/controls.ts';
import { withMongo } from './connections.ts';

const DEFAULT = 'default';

const showLevel = async (): Promise<void> => {
  const { logLevel } = await readControls();
  console.log(logLevel ?? `${DEFAULT}: the setting LOG_LEVEL of each process`);
};

const setLevel = async (level: string): Promise<void> => {
  await recordCliAction('log-level', level);
  await changeLogLevel(level === DEFAULT ? undefined : level);
  const text = level === DEFAULT ? 'the level of its setting LOG_LEVEL' : `the level ${level}`;
  console.log(`Every API and worker process will log at ${text} within about 5 s.`);
};

/** Adds the `log-level` command. */
export const addLogLevelCommand = (program: Command): void => {
  program
    .command('log-level')
    .description('show or set the log level of all running processes')
    .addArgument(new Argument('[level]', '`default` restores the setting LOG_LEVEL').choices([...LOG_LEVELS, DEFAULT]))
    .action((level?: string) => withMongo(() => (level ? setLevel(level) : showLevel())));
};
