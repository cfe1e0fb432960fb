/** Records the activities of a project: the entries of its activity list, which say who did what. */
import recordActivityJob from '../../workers/events/record-activity.ts';
import { relayedChanges } from './changes-log.ts';

/** Records the activities of all events of the project so far, as a worker does. */
export const recordActivities = async (project: string): Promise<void> => {
  for (const { _id: id, event, record, position } of await relayedChanges(project)) {
    const ref = { id, id_project: project, event, record: String(record), position };
    await recordActivityJob({ events: [{ ...ref, orderingKey: ref.record }] }, new AbortController().signal);
  }
};
