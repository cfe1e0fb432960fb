/** Batches of messages in the changes log, for benchmarks of sockets and webhooks. */
import { Change } from '#shared/models/change.ts';
import { appendWithoutNotice } from '../../support/append-changes.ts';
import { times } from '../../support/fleet-fixture.ts';
import { aProject } from '../../support/people.ts';
import { aLoggedMessage } from '../../support/socket-client.ts';

/** The number of changes in a batch. */
export const CHANGE_COUNT = 1000;
const TEXT = 'The parcel has not arrived yet, although it was sent on Monday. '.repeat(4);

/** Messages to append to the log of a project, in one conversation (`talk`) or in several. */
export const aBatch = (project: string, conversationCount = 1) =>
  times(CHANGE_COUNT, (n) => {
    const { event, payload } = aLoggedMessage(project, n, `${TEXT}${n}`);
    const request_id = conversationCount > 1 ? `talk-${n % conversationCount}` : 'talk';
    return { event, payload: { ...payload, request: { ...payload.request, request_id } } };
  });

/** A project whose log contains one batch; `ids` are the ids of the changes in the batch. */
export const aProjectWithBatch = async () => {
  const { project } = await aProject();
  await appendWithoutNotice(project.id, aBatch(project.id));
  const found = await Change.find({ id_project: project.id, event: 'message.create' }, { _id: 1 }).lean();
  return { project: project.id, ids: found.map(({ _id }) => _id) };
};

/** Returns the rate per second of `count` operations that took `ms` milliseconds. */
export const perSecond = (count: number, ms: number): number => (count * 1000) / ms;
