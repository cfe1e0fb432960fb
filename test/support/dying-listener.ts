/** A worker that dies by -9 right after its third effect, before its cursor has moved. */
import { connectMongo } from '#shared/mongo.ts';
import { listen } from '../../workers/steps/listen.ts';
import { leaveEffect, NAMES } from './told.ts';

const [name = ''] = process.argv.slice(2);
let effects = 0;

await connectMongo();
await listen({
  name,
  on: NAMES,
  attempts: 1,
  work: async (ref) => {
    await leaveEffect(name, ref);
    effects += 1;
    if (effects === 3) process.kill(process.pid, 'SIGKILL');
  },
});
