/** Around every mocha process: one database connection, whose commands tests may watch, and one API when a test asks. */
import './support/environment.ts';
import { prepareDatabase } from '#shared/boot.ts';
import { connectMongo, disconnectMongo } from '#shared/mongo.ts';
import { closeAll } from './support/at-end.ts';

/** Nothing is connected where no database is named: tests of pure parts need none. */
const named = Boolean(process.env.MONGODB_URI);

export const mochaHooks = {
  async beforeAll() {
    if (!named) return;
    await connectMongo({ monitorCommands: true });
    await prepareDatabase();
  },
  async afterAll() {
    await closeAll();
    await disconnectMongo();
  },
};
