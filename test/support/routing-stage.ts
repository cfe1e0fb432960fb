/** Where routing is tried: a database of its own, whose log is followed, and two processes that act on it. */
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { moveTo } from './elsewhere.ts';
import { type Hands, twoHands } from './hands.ts';
import { followWrites, type WriteLog } from './write-log.ts';

/** The collections whose writes tell all there is to judge. */
const WRITTEN = ['projects', 'project_users', 'departments', 'groups', 'requests'];

/** The log of writes, and who acts. */
export interface Stage {
  log: WriteLog;
  hands: Hands;
  close(): Promise<void>;
}

/** Until it is closed, the models of this process write to its database: no relay of the suite has to tell of all that. */
export const aRoutingStage = async (): Promise<Stage> => {
  const uri = new URL(config.MONGODB_URI);
  uri.pathname = `/routing_${process.pid}`;
  const goBack = await moveTo(uri.href);
  const [log, hands] = await Promise.all([followWrites(WRITTEN), twoHands()]);
  const close = async () => {
    await hands.close();
    await log.close();
    await mongoose.connection.dropDatabase();
    await goBack();
  };
  return { log, hands, close };
};
