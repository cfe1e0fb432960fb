/** Where a conversation starts: the first row of contract b 2.2 that fits. */
import type { Outcome } from '../../models/decision.ts';
import type { Decision } from '../routing/decisions.ts';
import { place } from '../routing/place.ts';
import type { Plan } from '../routing/plan.ts';
import { isBot, taking } from './participants.ts';
import { BEGINNINGS } from './transitions.ts';

/** What is asked for when a conversation is opened. */
interface Asked {
  participants?: string[];
  request_status?: number;
}

/** The fields that a conversation starts with, and what they came of. */
interface Beginning {
  fields: ReturnType<typeof taking> & {
    hasBot: boolean;
    status: number;
    department?: string;
    assigned_at?: Date;
  };
  /** Absent where nobody had to be chosen. */
  decision?: Decision;
  claimed?: string;
  undo?(): Promise<void>;
}

const ROWS = {
  bot: 'the department has a bot',
  assigned: 'assigned, somebody is found',
  nobody: 'assigned, nobody is found',
  in_line: 'assigned, nobody is found',
  pooled: 'pooled',
} as const satisfies Record<Outcome, keyof typeof BEGINNINGS>;

/** What routing makes of a new conversation. */
const routed = async (request: string, plan: Plan): Promise<Beginning> => {
  const { participants, ...rest } = await place(plan, { request, trigger: 'arrival' });
  const status = BEGINNINGS[ROWS[rest.decision.outcome]];
  const assigned_at = participants.length ? new Date() : undefined;
  const department = plan.department._id;
  const fields = { hasBot: false, ...taking(participants), status, department, assigned_at };
  return { fields, ...rest };
};

/** Where a conversation starts; whom it is given to is claimed at once. */
export const beginning = async (request: string, asked: Asked, plan: Plan): Promise<Beginning> => {
  const { participants = [], request_status } = asked;
  const isTemporary = request_status === BEGINNINGS['asked to be temporary'];
  if (!isTemporary && !participants.length) return routed(request, plan);
  const taken = { ...taking(participants), hasBot: isBot(participants[0] ?? '') };
  const status = BEGINNINGS[isTemporary ? 'asked to be temporary' : 'participants are given'];
  const department = participants.length ? undefined : plan.department._id;
  return { fields: { ...taken, status, department, assigned_at: isTemporary ? undefined : new Date() } };
};
