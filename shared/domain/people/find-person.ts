/** Finds the records of a person by an email address or an id. */
import type { Types } from 'mongoose';
import { notFound } from '../../errors.ts';
import { Conversation } from '../../models/conversation.ts';
import { Lead } from '../../models/lead.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { isId } from '../../wire/view.ts';
import { findFiles } from './find-files.ts';
import type { Person } from './person.ts';

/** The queries cover all projects, because an account can belong to several projects. */
const options = { anyProject: true };

type Scope = { id_project?: { $in: string[] } };

const scopeOf = (projects?: string[]): Scope => (projects ? { id_project: { $in: projects } } : {});

const isAddress = (text: string): boolean => text.includes('@');

/** Matches an email address in any letter case. */
const addressFilter = (address: string) => ({
  $regex: `^${address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
  $options: 'i',
});

const LEAD_FIELDS = { id_project: 1, lead_id: 1, email: 1, trusted_email: 1, phone: 1, fullname: 1 } as const;

const findLeads = async (text: string, accounts: string[], scope: Scope) => {
  const own = [...(isAddress(text) ? [] : [text]), ...accounts];
  const conditions = [
    ...(isAddress(text) ? [{ email: addressFilter(text) }] : []),
    ...(own.length ? [{ lead_id: { $in: own } }] : []),
    ...(isId(text) ? [{ _id: text }] : []),
  ];
  const found = await Lead.find({ ...scope, $or: conditions }, LEAD_FIELDS, options).lean();
  const ids = found.map(({ _id }) => String(_id));
  const merged = ids.length
    ? await Lead.find({ ...scope, merged_into: { $in: ids } }, LEAD_FIELDS, options).lean()
    : [];
  return [...new Map([...found, ...merged].map((lead) => [String(lead._id), lead])).values()];
};

const findAccounts = async (text: string) => {
  const filter = isAddress(text) ? { email: text.toLowerCase() } : { _id: text };
  if (!isAddress(text) && !isId(text)) return [];
  return User.find(filter, { email: 1, public_email: 1, phone: 1, firstname: 1, lastname: 1 }).lean();
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Shorter names would match parts of unrelated texts. */
const MIN_NAME_LENGTH = 3;

const isName = (value: unknown): value is string => isText(value) && value.length >= MIN_NAME_LENGTH;

const findMemberships = async (visitors: string[], accounts: string[], scope: Scope) => {
  const either = [{ uuid_user: { $in: visitors } }, { id_user: { $in: accounts } }];
  const found = await ProjectUser.find({ ...scope, $or: either }, { id_project: 1, uuid_user: 1 }, options).lean<
    { _id: Types.ObjectId; id_project: string; uuid_user?: string }[]
  >();
  return found.map(({ _id, id_project, uuid_user }) => ({
    _id: String(_id),
    id_project,
    isVisitor: uuid_user !== undefined && uuid_user !== null,
  }));
};

const findConversations = async (leads: Person['leads']): Promise<Person['conversations']> => {
  const found = await Promise.all(
    leads.map(({ _id, id_project, lead_id }) =>
      Conversation.find(
        { id_project, $or: [{ lead: _id }, { 'snapshot.lead.lead_id': lead_id }] },
        { id_project: 1, request_id: 1 },
      ).lean(),
    ),
  );
  return found.flat().map(({ _id, id_project, request_id }) => ({ _id: String(_id), id_project, request_id }));
};

/**
 * Finds a person by an email address, by the id of an account, or by the id or `lead_id` of a lead. All leads with the
 * given address are assumed to belong to the person. Errors: 404 if no record has the given id. An address that
 * belongs to no account or lead is not an error.
 */
export const findPerson = async (text: string, project?: string): Promise<Person> => {
  const accounts = project ? [] : await findAccounts(text);
  const accountIds = accounts.map(({ _id }) => String(_id));
  const leads = await findLeads(text, accountIds, scopeOf(project ? [project] : undefined));
  const own = [...leads.map(({ lead_id }) => lead_id), ...(isAddress(text) || leads.length ? [] : [text])];
  const visitors = [...new Set(own)].filter((id) => !accountIds.includes(id));
  const memberships = await findMemberships(visitors, accountIds, scopeOf(project ? [project] : undefined));
  if (!isAddress(text) && !accounts.length && !leads.length && !memberships.length) throw unknownPerson(text);
  const projects = [...new Set([...leads, ...memberships].map(({ id_project }) => id_project))];
  const isInstanceWide = isAddress(text) || accounts.length > 0;
  const keys = leads.map(({ _id, id_project, lead_id }) => ({ _id: String(_id), id_project, lead_id }));
  const person = {
    ...(project ? { projects: [project] } : isInstanceWide ? {} : { projects }),
    ...{ accounts: accountIds, visitors, leads: keys, memberships },
    conversations: await findConversations(keys),
    ...valuesOf(text, accounts, leads),
  };
  return { ...person, files: await findFiles(person, scopeOf(person.projects)) };
};

const unknownPerson = (text: string) =>
  notFound(`No account or lead has the id ${text}. Give an email address, an account id or a lead id.`);

type Texts = Record<string, unknown>[];

const valuesOf = (text: string, accounts: Texts, leads: Texts): Pick<Person, 'emails' | 'phones' | 'names'> => {
  const all = [...accounts, ...leads];
  const valuesIn = (...fields: string[]) => all.flatMap((each) => fields.map((field) => each[field])).filter(isText);
  const names = [
    ...accounts.map(({ firstname, lastname }) => [firstname, lastname].filter(isText).join(' ')),
    ...leads.map(({ fullname }) => fullname),
  ];
  return {
    emails: [...new Set([...(isAddress(text) ? [text] : []), ...valuesIn('email', 'trusted_email', 'public_email')])],
    phones: [...new Set(valuesIn('phone'))],
    names: [...new Set(names.filter(isName))],
  };
};
