/**
 * Around every mocha process: one database connection, whose commands tests may watch, and one API when a test asks.
 * The settings come first: whatever else is loaded reads them at once.
 */
import { databaseIsNamed } from './support/environment.ts';
import { prepareDatabase } from '#shared/boot.ts';
import { connectMongo, disconnectMongo } from '#shared/mongo.ts';
import { closeAll } from './support/at-end.ts';

// When `npm test` is killed nobody wants the results; what tests started is in this process's group.
if (process.env.TEST_GROUP) process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

export const mochaHooks = {
  async beforeAll() {
    if (!databaseIsNamed) return;
    await connectMongo({ monitorCommands: true });
    await prepareDatabase();
  },
  async afterAll() {
    await closeAll();
    await disconnectMongo();
  },
};
