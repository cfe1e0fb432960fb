/**
 * Mocha hooks of every test process. They open one database connection, whose commands tests can observe, and clean up
 * at the end. environment.ts, which sets the settings of the tests, is imported first, because other modules read the
 * settings when they are loaded.
 */
import { databaseIsNamed } from './support/environment.ts';
import { connectMongo, disconnectMongo } from '#shared/database/connection.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { TEST_CONNECTION } from './support/connection-options.ts';
import { printSeed } from './support/seeded-random.ts';
import { runCleanups } from './support/suite-cleanup.ts';

// If `npm test` dies, this process kills its own process group, which includes everything that the tests have started.
if (process.env.TEST_GROUP) process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));

export const mochaHooks = {
  async beforeAll() {
    if (!databaseIsNamed) return;
    await connectMongo(TEST_CONNECTION);
    await prepareDatabase();
  },
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') printSeed();
  },
  async afterAll() {
    await runCleanups();
    await disconnectMongo();
  },
};
