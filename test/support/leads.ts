/** Leads with conversations, as they are stored, and what the listeners of their changes must have done. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { update } from '#shared/domain/conversations/lead-changes.ts';
import { Change } from '#shared/models/change.ts';
import { Lead, LeadView } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';
import { fieldsOf } from '#shared/view.ts';
import { times } from './stage.ts';

/** A lead. */
export interface OneLead {
  id_project: string;
  _id: string;
}

/** A lead with chats, the last of which is the newest. */
export const aLead = async (id_project: string, chats = 2) => {
  const [made] = await Lead.create([{ id_project, lead_id: randomUUID(), fullname: 'Ann 0', createdBy: 'test' }]);
  const _id = String(made?._id);
  const lead = await Lead.findOne({ _id, id_project }, fieldsOf(LeadView)).lean();
  const request_ids = times(chats, () => `support-group-${randomUUID()}`);
  for (const request_id of request_ids) {
    const common = { id_project, request_id, lead: _id, first_text: 'Hello', createdBy: 'test' };
    await Request.create([{ ...common, snapshot: { lead } }]);
  }
  return { id_project, _id, request_ids, latest: request_ids.at(-1) as string };
};

/** The lead is given another name and e-mail. */
export const rename = ({ id_project, _id }: OneLead, fullname: string) =>
  update({ id_project, _id }, { fullname, email: `${fullname.replace(' ', '')}@example.com` });

/** What the system said in a conversation. */
export const saidIn = (id_project: string, request_id: string) =>
  Message.find({ id_project, recipient: request_id }).sort({ createdAt: 1 }).lean();

const announced = async (id_project: string): Promise<number> =>
  Message.countDocuments({ id_project, 'attributes.messagelabel.key': 'LEAD_UPDATED' });

const stale = async (id_project: string): Promise<number> => {
  const leads = await Lead.find({ id_project }, { fullname: 1 }).lean();
  const behind = leads.map(({ _id, fullname }) =>
    Request.countDocuments({ id_project, lead: String(_id), 'snapshot.lead.fullname': { $ne: fullname } }),
  );
  return (await Promise.all(behind)).reduce((sum, count) => sum + count, 0);
};

/** True once every renaming was heard by both its listeners. */
export const areHeard = async (id_project: string, renamings: number): Promise<boolean> =>
  (await announced(id_project)) >= renamings && (await stale(id_project)) === 0;

/** Each renaming is in the log once, was announced once, and its conversations show the last one. */
export const expectHeardOnce = async (id_project: string, renamings: number): Promise<void> => {
  const logged = await Change.countDocuments({ id_project, event: 'lead.fullname.email.update' });
  expect({ logged, announced: await announced(id_project), stale: await stale(id_project) }).to.deep.equal({
    ...{ logged: renamings, announced: renamings },
    stale: 0,
  });
};
