/** Conversations that nobody goes on with are closed by the clock (contract b 2.7). */
import { REQUEST, Request } from '../../models/request.ts';
import { ended } from './closing.ts';
import { change, type StoredRequest } from './requests.ts';

/** Closed in one run, so that a project that was away for long is not told of a thousand at once. */
const MOST = 10;
const CLOSER = '_bot_unresponsive';

/** Which conversations: those with a bot or those without, untouched for so many seconds. */
interface Idle {
  hasBot: boolean;
  seconds: number;
}

const isUntouched = ({ updatedAt, workingStatus }: StoredRequest, since: Date): boolean =>
  new Date(updatedAt) < since && workingStatus !== 'pending';

/** Close those of all projects that were untouched the longest, without writing to anybody about it; how many were found. */
export const closeIdle = async ({ hasBot, seconds }: Idle): Promise<number> => {
  const since = new Date(Date.now() - seconds * 1000);
  const idle = {
    hasBot,
    status: { $lt: REQUEST.closed },
    updatedAt: { $lt: since },
    workingStatus: { $ne: 'pending' },
  };
  const found = await Request.find(idle, { id_project: 1, request_id: 1 }, { anyProject: true })
    .sort({ updatedAt: 1 })
    .limit(MOST)
    .lean();
  for (const { id_project, request_id } of found) {
    const close = (now: StoredRequest) => (isUntouched(now, since) ? ended(now, CLOSER, { notify: false }) : null);
    await change({ id_project, request_id }, close);
  }
  return found.length;
};
