/** Queued contents that are due: those that a worker can take now. */
import { CONTENT_STATUS, KbContent } from '../../../models/kb-content.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';

/** The filter for due contents. */
export const dueFilter = () => ({ status: CONTENT_STATUS.queued, nextAttemptAt: { $lte: currentTime() } });

/** Returns the milliseconds until the project's next content is due, or null if no content is queued. */
export const msUntilNextContent = async (id_project: string): Promise<number | null> => {
  const next = await KbContent.findOne({ id_project, status: CONTENT_STATUS.queued }, { nextAttemptAt: 1, _id: 0 })
    .sort({ nextAttemptAt: 1 })
    .lean();
  return next ? Math.max(0, next.nextAttemptAt.getTime() - currentTimeMs()) : null;
};

/** Counts the due contents of a project, up to `limit`. */
export const countDueContents = (id_project: string, limit: number): Promise<number> =>
  KbContent.countDocuments({ id_project, ...dueFilter() }).limit(limit);

/** Returns the ids of the projects that have due contents. */
export const projectsWithDueContents = (): Promise<string[]> =>
  KbContent.distinct('id_project', dueFilter()).setOptions({ anyProject: true });
