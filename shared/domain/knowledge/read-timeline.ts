/** Reads the timeline of a content: its indexing attempts. */
import { readOne } from '../../database/raw-read.ts';
import { KbContent } from '../../models/kb-content.ts';
import { find } from './contents.ts';
import { toTimeline } from './indexing/attempt-timeline.ts';

const TIMELINE_FIELDS = { status: 1, attemptId: 1, attempts: 1, _id: 0 } as const;

/** Returns a content and its attempts, newest first. Throws 404 if the project has no such content. */
export const readTimeline = async (id_project: string, id: string) => {
  const content = await find(id_project, id);
  const timeline = await readOne(KbContent, { _id: id, id_project }, TIMELINE_FIELDS);
  return { content, attempts: timeline ? toTimeline(timeline) : [] };
};
