/** Conversations: how they are shown, and the verbs that change one. */
import type { ClientSession, Types } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { inLine } from '../../in-line.ts';
import { Message } from '../../models/message.ts';
import { type BareRequestView, Request, RequestView, VisitorRequestView } from '../../models/request.ts';
import { inTransaction } from '../../mongo.ts';
import { readMany, readOne } from '../../read.ts';
import { rewording } from '../../search/request-texts.ts';
import { fieldsOf } from '../../view.ts';
import { account } from '../routing/claims.ts';
import { type Decision, KEPT } from '../routing/decisions.ts';
import { populationOf } from './populating.ts';
import { replaced } from './replaced.ts';
import { type SystemMessage, saidBySystem } from './system-messages.ts';
import { tally } from './tallies.ts';

/** Where a conversation is: `request_id` is any text, unique in its project. */
export interface Conversation {
  id_project: string;
  request_id: string;
}

/** Who acts on conversations. */
export interface Speaker {
  kind: string;
  id: string;
  role?: string;
  membership?: string;
  fullname?: string;
  email?: string;
  /** The account has proved that its e-mail is its own. */
  verified?: boolean;
}

const TEAM = new Set(['agent', 'admin', 'owner']);

const PROGRAMS = new Set(['bot', 'subscription']);

/** True for who works for the project, its programs included; everybody else is a visitor (decision 57). */
export const isTeam = ({ role = '', kind }: Speaker): boolean => TEAM.has(role) || PROGRAMS.has(kind);

type Shown = z.input<typeof RequestView>;

/** A conversation as it is stored: what is embedded lies in its snapshot. */
export type StoredRequest = Omit<
  z.input<typeof BareRequestView>,
  'id' | 'requester_id' | '_id' | 'createdAt' | 'assigned_at' | 'first_response_at'
> & { _id: Types.ObjectId | string; createdAt: Date; snapshot: { lead?: { lead_id: string } } };

/** What showing a conversation reads. */
export const FIELDS = fieldsOf(RequestView);

/** Conversations as teammates see them; `live` is false where a message must not wait for what else changed. */
export const show = async (stored: StoredRequest[], { live = true } = {}): Promise<Shown[]> => {
  const populated = await populationOf(stored, live);
  return stored.map((request) => ({
    ...request,
    ...populated(request),
    id: request._id,
    requester_id: request.lead ?? null,
    lead: request.snapshot.lead as Shown['lead'],
  }));
};

/** One of them. */
export const showOne = async (stored: StoredRequest, how?: { live: boolean }): Promise<Shown> =>
  (await show([stored], how))[0] as Shown;

/** With its lead, requester and department as ids. */
export const bare = (request: StoredRequest): z.input<typeof BareRequestView> => ({
  ...request,
  id: request._id,
  requester_id: request.lead ?? null,
});

/** What its visitor may see of a conversation. */
export const forVisitor = (request: Shown) => VisitorRequestView.parse(request);

/** The visitor whose conversation it is. */
export const visitorOf = (request: Shown): string | undefined => request.lead?.lead_id;

/** Those of the records that are there, as events carry them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]) => {
  const anyProject = { anyProject: true }; // the relay's: it knows by the record whose it is
  const stored = await Request.find({ _id: { $in: keys } }, FIELDS, anyProject).lean<StoredRequest[]>();
  const requests = await show(stored);
  return requests.map((shown) => ({
    key: shown._id as Types.ObjectId,
    shown,
    visitor: visitorOf(shown),
    visitor_shown: forVisitor(shown),
  }));
};

/** Who else may meet a conversation: its visitor and those who take part. */
export const ofVisitor = (id: string) => ({ $or: [{ 'snapshot.lead.lead_id': id }, { participants: id }] });

/** A conversation by its `request_id`, or null. */
export const lookUp = async (where: Conversation): Promise<StoredRequest | null> =>
  (await readOne(Request, where, FIELDS)) as unknown as StoredRequest | null;

/** A conversation that is not there, or not to be seen by who asks. */
export const unknown = ({ request_id }: Pick<Conversation, 'request_id'>) =>
  notFound(`Request not found with id ${request_id}`);

/** True for the visitor of a conversation, and for programs, which act for one. */
export const isOwn = ({ snapshot }: StoredRequest, { kind, id }: Speaker): boolean =>
  PROGRAMS.has(kind) || snapshot.lead?.lead_id === id;

/** A conversation by its `request_id`, or 404. */
export const find = async (where: Conversation): Promise<StoredRequest> => {
  const request = await lookUp(where);
  if (!request) throw unknown(where);
  return request;
};

/** A page of the conversations that match. */
export const list = async (
  filter: object & { id_project: string },
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
): Promise<StoredRequest[]> =>
  (await readMany(Request, filter, { fields: FIELDS, ...page })) as unknown as StoredRequest[];

/** What becomes of a conversation: fields set and dropped, what is told of it, and what the system says in it. */
export interface Change {
  set: Partial<Record<keyof typeof FIELDS | `attributes.${string}` | `snapshot.${string}`, unknown>>;
  drop?: (keyof typeof FIELDS)[];
  tells: Parameters<typeof emits>;
  says?: SystemMessage;
  /** Who was given it, as routing decided in the same transaction. */
  claimed?: string;
  decision?: Decision;
}

/** What is told of a change, with the fields that it replaced. */
const told = (before: StoredRequest, change: Change): Change['tells'] =>
  change.tells.map((each) =>
    typeof each === 'object' && each[0] === 'request.updated'
      ? ['request.updated', { ...each[1], ...replaced(before, change) }]
      : each,
  );

/** Works on one conversation stand in line in this process, so that only processes get into each other's way. */
export const lineOf = ({ id_project, request_id }: Conversation): string => `${id_project} ${request_id}`;

/** A transaction, and the id of what the system says: the same in every try of it. */
interface Within {
  session: ClientSession;
  said: string;
}

/** Write what becomes of a conversation that was read in the same transaction; loads and tallies follow, and what the system says stands in it. */
export const carryOut = async (
  before: StoredRequest,
  change: Change,
  { session, said }: Within,
): Promise<StoredRequest> => {
  const { set, drop = [], says, claimed, decision } = change;
  const { id_project, request_id } = before;
  const message = says && saidBySystem({ ...before, ...set } as StoredRequest, says, said);
  const update = {
    $set: { ...set, ...rewording(before, set), ...(message && { 'attributes.last_message': message }) },
    $unset: Object.fromEntries(drop.map((field) => [field, 1])),
    ...(decision && { $push: { routing: { $each: [decision], $slice: -KEPT } } }),
  };
  const options = { ...emits(...told(before, change)), session, returnDocument: 'after', projection: FIELDS } as const;
  const written = await Request.findOneAndUpdate({ id_project, request_id }, update, options).lean<StoredRequest>();
  const after = written as StoredRequest; // read in the same transaction
  if (message) await Message.create([message], { session, ...emits('message.create') });
  await account({ ...before, claimed }, after, session);
  await tally(before, after, session);
  return after;
};

/**
 * Change a conversation in one transaction: `decide` tells from what it is what it becomes, or null where nothing is to be done.
 * 404 for an unknown one.
 */
export const change = (
  where: Conversation,
  decide: (before: StoredRequest, session: ClientSession) => Promise<Change | null> | Change | null,
): Promise<StoredRequest> => {
  const said = newId();
  return inLine(lineOf(where), () =>
    inTransaction(async (session) => {
      const before = await Request.findOne(where, FIELDS, { session }).lean<StoredRequest>();
      if (!before) throw unknown(where);
      const change = await decide(before, session);
      return change ? carryOut(before, change, { session, said }) : before;
    }),
  );
};
