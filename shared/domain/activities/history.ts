/** The history of a conversation: every change of it with who made it, the fields before and the fields after (contract b 1.19). */
import { type Doer, newId } from '../../context.ts';
import { RequestChange, RequestChangeView } from '../../models/request-change.ts';
import { makeOnce } from '../../mongo.ts';
import { countOf, readMany } from '../../read.ts';
import { fieldsOf } from '../../view.ts';
import type { Conversation } from '../conversations/requests.ts';
import { type Fields, SYSTEM, type Told } from './told.ts';

interface Change {
  comment: string;
  previous?: Fields;
  current?: Fields;
  actor?: Doer;
}

const assigned = ({ assigneeId, assignmentType, source, previousAssigneeId, actor }: Fields): Change => ({
  comment: 'ASSIGNED',
  previous: { assignee: previousAssigneeId },
  current: { assignee: assigneeId, assignmentType, source },
  actor: actor as Doer,
});

const changeOf = ({ event, payload }: Told): Change | null => {
  if (event === 'request.create') return { comment: 'CREATE' };
  if (event === 'request.updated') return payload as unknown as Change;
  return event === 'request.assigned' ? assigned(payload) : null;
};

const nameOf = ({ payload }: Told) => ((payload.request ?? payload) as Partial<Conversation>).request_id;

/** Write down a change of a conversation, if the event tells of one; once, however often it is heard. A deleted conversation has no history. */
export const note = async (told: Told): Promise<void> => {
  const { id_project, position, createdAt } = told;
  const request_id = nameOf(told);
  if (request_id && told.event === 'request.delete') await RequestChange.deleteMany({ id_project, request_id });
  const change = changeOf(told);
  if (!change || !request_id) return;
  const { comment, previous = {}, current = {}, actor = told.by ?? SYSTEM } = change;
  const noted = { _id: newId(), id_project, request_id, position, actor, comment, previous, current, createdAt };
  await makeOnce(() => RequestChange.create([noted]));
};

/** A page of a conversation's changes, the oldest first, and how many there are. */
export const list = async (where: Conversation, page: { skip: number; limit: number }) => {
  const [count, history] = await Promise.all([
    countOf(RequestChange, { ...where }),
    readMany(RequestChange, { ...where }, { fields: fieldsOf(RequestChangeView), sort: { position: 1 }, ...page }),
  ]);
  return { count, history };
};
