/** The migration that computes the conversation counters of existing projects, and its reverse. */
import { rebuild } from '../domain/conversations/counters.ts';
import { ConversationCounter } from '../models/conversation-counter.ts';
import { Project } from '../models/project.ts';

/** Computes the conversation counters of every project. */
export const countConversations = async (): Promise<void> => {
  for (const { _id } of await Project.find({}, { _id: 1 }).lean()) await rebuild(String(_id));
};

/** Removes the conversation counters of all projects. */
export const removeCounters = async (): Promise<void> => {
  await ConversationCounter.deleteMany({}).setOptions({ anyProject: true });
};
