/** Builds the copies of the lead, the requester, the agents and the department that a conversation contains. */
import { readMany } from '../../database/raw-read.ts';
import { Lead } from '../../models/lead.ts';
import { ProjectUser, type StoredMembership, TEAMMATE_FIELDS } from '../../models/project-user.ts';
import { isId } from '../../wire/view.ts';
import { requesterView } from '../conversations/population.ts';
import { LEAD_FIELDS } from '../leads/leads.ts';
import { convertDocument } from './convert-document.ts';
import type { Fields } from './fields.ts';
import type { ImportedDocument } from './import-table.ts';
import { leads } from './tables/leads.ts';

const keyOf = (project: unknown, id: unknown): string => `${String(project)} ${String(id)}`;

const valuesOf = (batch: ImportedDocument[], field: string): string[] => [
  ...new Set(
    batch.flatMap(({ record }) => {
      const { [field]: id } = record;
      return isId(id) ? id : [];
    }),
  ),
];

const scopeOf = (batch: ImportedDocument[], field: string) => ({
  id_project: { $in: valuesOf(batch, 'id_project') },
  _id: { $in: valuesOf(batch, field) },
});

const byKey = <R extends { _id: unknown; id_project: unknown }>(records: R[]): Map<string, R> =>
  new Map(records.map((record) => [keyOf(record.id_project, record._id), record]));

/** Returns the lead as it was copied into the conversation; undefined if there is no usable copy. */
const copiedLead = ({ record }: ImportedDocument): Fields | undefined => {
  const { lead } = record.snapshot as { lead?: Fields };
  const converted = lead && isId(lead._id) ? convertDocument(leads, lead) : undefined;
  if (!converted || converted.rejection || converted.record.id_project !== record.id_project) return undefined;
  const { lead_id = converted.record._id } = converted.record;
  return { ...converted.record, lead_id };
};

/** Returns the requester as copied into the conversation: only the role and the fields that identify the person. */
const copiedRequester = ({ record }: ImportedDocument): Fields | undefined => {
  const { requester } = record.snapshot as { requester?: Fields };
  if (!requester || !isId(requester._id) || typeof requester.role !== 'string') return undefined;
  const { _id, role, uuid_user, id_user } = requester;
  const account = (id_user as Fields | undefined)?._id ?? id_user;
  return {
    ...{ _id, id_project: record.id_project, role },
    ...(typeof uuid_user === 'string' && { uuid_user }),
    ...(isId(account) && { id_user: { _id: account } }),
  };
};

const currentRequester = (member: StoredMembership): Fields => ({
  ...requesterView(member),
  ...(member.id_user && { id_user: { _id: String(member.id_user) } }),
});

/** Returns the ids and roles of the agents whom routing considered. */
const agentsOf = ({ record }: ImportedDocument): Fields[] => {
  const { agents } = record.snapshot as { agents?: unknown };
  if (!Array.isArray(agents)) return [];
  return (agents as Fields[]).flatMap(({ _id, id_user, role }) => {
    const user = (id_user as Fields | undefined)?._id ?? id_user;
    return isId(_id) && isId(user) ? [{ _id, id_user: user, role: typeof role === 'string' ? role : 'agent' }] : [];
  });
};

/**
 * Sets the snapshots of conversations. The lead and the requester are those of this system, or, if it has not imported
 * them, the copies in the document.
 */
export const buildSnapshots = async (batch: ImportedDocument[]): Promise<void> => {
  const [people, members] = await Promise.all([
    readMany(Lead, scopeOf(batch, 'lead'), { fields: LEAD_FIELDS }),
    readMany(ProjectUser, scopeOf(batch, 'requester'), { fields: TEAMMATE_FIELDS }),
  ]);
  const [leadsByKey, membersByKey] = [byKey(people), byKey(members)];
  for (const document of batch) {
    const { record, adjustments } = document;
    const { department, availableAgentsCount } = record.snapshot as Fields;
    const lead = leadsByKey.get(keyOf(record.id_project, record.lead)) ?? copiedLead(document);
    const member = membersByKey.get(keyOf(record.id_project, record.requester));
    const requester = member ? currentRequester(member as unknown as StoredMembership) : copiedRequester(document);
    if (record.lead && !lead) {
      adjustments.push('lead: neither the lead nor a copy of it exists');
      delete record.lead;
    }
    record.agents = agentsOf(document);
    record.snapshot = {
      ...(lead && { lead }),
      ...(requester && { requester }),
      ...(department instanceof Object && { department }),
      ...(typeof availableAgentsCount === 'number' && { availableAgentsCount }),
    };
  }
};
