/**
 * Counts the records of a batch of events for analytics, as a worker does, and kills itself at the nth `commandStarted`
 * or `commandSucceeded` of a MongoDB command. Arguments: the file that contains the events, which of the two, the name
 * of the command, and n. A transaction that is open when the process ends blocks its records until MongoDB aborts it.
 */
import { readFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import { connectMongo } from '#shared/database/connection.ts';
import { countRecordsOfEvents } from '#shared/domain/analytics/count-events.ts';

const [file = '', moment = '', command = '', number = '1'] = process.argv.slice(2);
let left = Number(number);

await connectMongo({ monitorCommands: true });
mongoose.connection.getClient().on(moment as 'commandStarted', ({ commandName }) => {
  if (commandName !== command) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});
await countRecordsOfEvents(JSON.parse(await readFile(file, 'utf8')));
