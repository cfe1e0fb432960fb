/** Leads with conversations, and the effects of renaming leads. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { update } from '#shared/domain/leads/lead-writes.ts';
import { Change } from '#shared/models/change.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Lead, LeadView } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { projectionOf } from '#shared/wire/view.ts';
import { times } from './fleet-fixture.ts';

export interface LeadKey {
  id_project: string;
  _id: string;
}

/** A lead with conversations, the newest last. */
export const aLead = async (id_project: string, conversations = 2) => {
  const [created] = await Lead.create([{ id_project, lead_id: randomUUID(), fullname: 'Ann 0', createdBy: 'test' }]);
  const _id = String(created?._id);
  const lead = await Lead.findOne({ _id, id_project }, projectionOf(LeadView)).lean();
  const request_ids = times(conversations, () => `support-group-${randomUUID()}`);
  for (const request_id of request_ids) {
    const common = { id_project, request_id, lead: _id, first_text: 'Hello', createdBy: 'test' };
    await Conversation.create([{ ...common, snapshot: { lead } }]);
  }
  return { id_project, _id, request_ids, latest: request_ids.at(-1) as string };
};

/** Changes the name and the email address of the lead. */
export const rename = ({ id_project, _id }: LeadKey, fullname: string) =>
  update({ id_project, _id }, { fullname, email: `${fullname.replace(' ', '')}@example.com` });

/** The messages of a conversation, oldest first; in the conversations of `aLead`, only the system writes messages. */
export const systemMessages = (id_project: string, request_id: string) =>
  Message.find({ id_project, recipient: request_id }).sort({ createdAt: 1 }).lean();

const countAnnouncements = async (id_project: string): Promise<number> =>
  Message.countDocuments({ id_project, 'attributes.messagelabel.key': 'LEAD_UPDATED' });

const countStaleCopies = async (id_project: string): Promise<number> => {
  const leads = await Lead.find({ id_project }, { fullname: 1 }).lean();
  const behind = leads.map(({ _id, fullname }) =>
    Conversation.countDocuments({ id_project, lead: String(_id), 'snapshot.lead.fullname': { $ne: fullname } }),
  );
  return (await Promise.all(behind)).reduce((sum, count) => sum + count, 0);
};

/** Whether every renaming is announced in a system message, and the conversations contain the latest names. */
export const areRenamingsHandled = async (id_project: string, renamings: number): Promise<boolean> =>
  (await countAnnouncements(id_project)) >= renamings && (await countStaleCopies(id_project)) === 0;

/**
 * Expects each renaming once in the changes log and once as a system message, and the latest name in the conversations.
 */
export const expectRenamingsHandledOnce = async (id_project: string, renamings: number): Promise<void> => {
  const logged = await Change.countDocuments({ id_project, event: 'lead.fullname.email.update' });
  expect({
    logged,
    announced: await countAnnouncements(id_project),
    stale: await countStaleCopies(id_project),
  }).to.deep.equal({
    ...{ logged: renamings, announced: renamings },
    stale: 0,
  });
};
