/** Sending a conversation on its way (contract b 1.11): to a department, to its first teammate, from a bot to a human. */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { REQUEST, Request } from '../../models/request.ts';
import { readOne } from '../../read.ts';
import { isId } from '../../view.ts';
import { fireWithin } from '../events/custom-events.ts';
import type { Decision } from '../routing/decisions.ts';
import { ownPlan, plan } from '../routing/plan.ts';
import { BOT, set as setParticipants } from './participants.ts';
import {
  bare,
  type Change,
  type Conversation,
  change,
  find,
  type Speaker,
  type StoredRequest,
  unknown,
} from './requests.ts';
import { type Rerouting, rerouted } from './rerouting.ts';
import { moved } from './transitions.ts';

/** Where a conversation is to go. */
interface Destination {
  /** The project's default one unless it is named. */
  department?: string;
  /** Past the department's bot. */
  nobot?: boolean;
}

/** The record after a change, as far as its own fields go. */
const whole = (before: StoredRequest, { set }: Change) => {
  const own = Object.entries(set).filter(([field]) => !field.includes('.'));
  return bare({ ...before, ...Object.fromEntries(own) });
};

/** Routes a conversation, and says so where all who could take it left it. */
const routing =
  (rerouting: Rerouting, event = newId()) =>
  async (before: StoredRequest, session: ClientSession) => {
    const becomes = await rerouted(before, rerouting, session);
    if (becomes?.set.status !== REQUEST.abandoned) return becomes;
    const { id_project } = before;
    const fired = { _id: event, id_project, name: 'request.fully_abandoned', attributes: whole(before, becomes) };
    await fireWithin(session, fired, rerouting.by);
    return becomes;
  };

/** Send a conversation to a department, whatever its status. Errors: 404 for an unknown one, 422 for an unknown department. */
export const moveToDepartment = async (
  where: Conversation,
  { department, nobot }: Destination,
  by: Speaker,
): Promise<StoredRequest> => {
  await find(where);
  const there = await plan(where.id_project, department, { nobot });
  return change(where, routing({ plan: there, trigger: 'departments', by }));
};

/** What came of a first assignment. */
interface Assigned {
  request: StoredRequest;
  /** False for a conversation that somebody has or that is closed: it is left as it is (decision 17). */
  isRouted: boolean;
}

const isDone = ({ status }: StoredRequest): boolean => moved('assign, somebody is found', status) === null;

/** Give a conversation that nobody has to somebody. Errors as of `moveToDepartment`. */
export const assign = async (
  where: Conversation,
  { department, nobot }: Destination,
  by: Speaker,
): Promise<Assigned> => {
  const known = await find(where);
  if (isDone(known)) return { request: known, isRouted: false };
  const there = await plan(where.id_project, department, { nobot });
  const route = routing({ plan: there, trigger: 'assign', by });
  const request = await change(where, (before, session) => (isDone(before) ? null : route(before, session)));
  return { request, isRouted: true };
};

/** Hand a conversation over to a human of its own department, or of the default one where it has none. */
export const handOver = async (where: Conversation, by: Speaker): Promise<StoredRequest> => {
  const there = await ownPlan(await find(where), { nobot: true });
  return change(where, routing({ plan: there, trigger: 'agent', by }));
};

/** Which bot, by one of its names; none has a slug yet. */
interface Named {
  id?: string;
  name?: string;
  slug?: string;
}

const botOf = async (id_project: string, { id, name }: Named): Promise<string> => {
  const which = id === undefined ? { name } : { _id: id };
  const isNamed = id === undefined ? name !== undefined : isId(id);
  const bot = isNamed ? await readOne(Bot, { id_project, ...which, trashed: false }, { _id: 1 }) : null;
  if (!bot) throw notFound('Chatbot not found');
  return String(bot._id);
};

/** Put a bot in the place of all who take part. Errors: 400 where none is named, 404 for an unknown one. */
export const replaceBy = async (where: Conversation, named: Named, by: Speaker) => {
  await find(where);
  if (named.id === undefined && named.name === undefined && named.slug === undefined)
    throw new AppError(400, 'NO_BOT', 'One of id, name and slug of a chatbot is needed');
  const bot = await botOf(where.id_project, named);
  return { request: await setParticipants(where, [`${BOT}${bot}`], by), bot };
};

/** Why a conversation went where it went: the latest decisions on it, the last one last; 404 for an unknown one. */
export const decisionsOn = async (where: Conversation): Promise<Decision[]> => {
  const request = await readOne(Request, where, { routing: 1 });
  if (!request) throw unknown(where);
  return (request.routing ?? []) as Decision[];
};
