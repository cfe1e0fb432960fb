/** `npm run cli`: administration commands for an instance. Exit codes: 0 success, 1 failure, 2 incorrect usage. */
import { runCommand } from './cli/run-command.ts';

await runCommand(process.argv.slice(2));
