/** `npm run cli -- config …` */
import type { Command } from 'commander';
import { config, inspectSettings } from '#shared/config.ts';
import { formatCount } from '#shared/format-count.ts';
import { formatTable, printable } from './print.ts';
import { findConflicts } from './setting-conflicts.ts';

const INVALID = 1;

const checkConfig = ({ json }: { json?: true }): void => {
  const { settings, warnings } = inspectSettings();
  const invalid = settings.flatMap(({ problem }) => problem ?? []);
  const problems = [...invalid, ...warnings, ...(invalid.length ? [] : findConflicts(config))];
  if (json) console.log(JSON.stringify({ settings, problems }, null, 2));
  else {
    const rows = settings.map(({ name, value, source }) => [name, source, printable(value)]);
    console.log(formatTable([['setting', 'source', 'value'], ...rows]));
    for (const problem of problems) console.log(`\nPROBLEM  ${printable(problem)}.`);
    console.log(`\n${formatCount(settings.length, 'setting')}, ${formatCount(problems.length, 'problem')}.`);
  }
  if (problems.length) process.exitCode = INVALID;
};

/** Adds the `config` commands. */
export const addConfigCommands = (program: Command): void => {
  program
    .command('config')
    .description('settings of this instance')
    .command('check')
    .description(
      'list all settings with their source, with secrets masked, and all problems; exit code 1 if there are any',
    )
    .option('--json', 'print JSON')
    .action(checkConfig);
};
