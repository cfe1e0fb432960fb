/**
 * Counts a batch of events like a worker, and kills itself: `commandStarted` and `commandSucceeded` of a command name
 * the moment. A transaction that is open then blocks its rows until MongoDB ends it.
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
