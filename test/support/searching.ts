/** Conversations to be found, straight into the database. */
import { newId } from '#shared/context.ts';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';

/** A conversation to be found: what it is, and what is said in it. */
export interface Written {
  request_id: string;
  says?: (string | { text: string; attributes: object })[];
  [field: string]: unknown;
}

/** The snapshot of a conversation of this lead. */
export const ofLead = (lead: { lead_id?: string; fullname?: string; email?: string }) => {
  const now = new Date();
  const kept = { tags: [], status: 100, createdBy: 'x', createdAt: now, updatedAt: now, __v: 0 };
  return { snapshot: { lead: { _id: newId(), id_project: 'x', lead_id: 'x', ...lead, ...kept } } };
};

/** Notes of a conversation. */
export const noted = (...texts: string[]) => {
  const now = new Date();
  return { notes: texts.map((text) => ({ text, createdBy: 'x', createdAt: now, updatedAt: now })) };
};

/** Write conversations with their messages, in this order. */
export const write = async (id_project: string, conversations: Written[]): Promise<void> => {
  const own = { id_project, createdBy: 'x' };
  const requests = conversations.map(({ says: _said, ...fields }) => ({
    ...{ ...own, _id: newId(), first_text: 'Hello', snapshot: {} },
    ...fields,
  }));
  const messages = conversations.flatMap(({ request_id, says = [] }) =>
    says.map((said) => ({
      ...{ ...own, _id: newId(), recipient: request_id, sender: 'x' },
      ...(typeof said === 'string' ? { text: said } : said),
    })),
  );
  await Request.insertMany(requests);
  await Message.insertMany(messages);
};

/** Say something more in one. */
export const say = (id_project: string, request_id: string, text: string) =>
  Message.create([{ id_project, recipient: request_id, text, sender: 'x', createdBy: 'x' }]);
