/** How a conversation comes into sight: its visitor says what it did not open with (contract b 2.5). */
import type { ClientSession } from 'mongoose';
import { emits } from '../../emits.ts';
import { LEAD, Lead } from '../../models/lead.ts';
import { REQUEST } from '../../models/request.ts';
import { ownPlan } from '../routing/plan.ts';
import { firstWords } from './first-words.ts';
import type { StoredMessage } from './messages.ts';
import type { Change, StoredRequest } from './requests.ts';
import { rerouted, SYSTEM } from './rerouting.ts';

/** A visitor that really writes is one to be kept. */
const keepLead = ({ id_project, lead }: StoredRequest, session: ClientSession) => {
  const temporary = { _id: lead, id_project, status: LEAD.temporary };
  return Lead.updateOne(temporary, { $set: { status: LEAD.normal } }, { session, ...emits('lead.update') });
};

/** Routing as if it had just come; its bot may take it. */
const routed = async (before: StoredRequest, session: ClientSession): Promise<Change | null> => {
  if (before.status !== REQUEST.temporary || before.hasBot) return null;
  return rerouted(before, { plan: await ownPlan(before), trigger: 'preflight', by: SYSTEM }, session);
};

/** What the first real words of its visitor make of a conversation that was hidden until then; null where they are not that. */
export const unveiled = async (
  before: StoredRequest,
  message: StoredMessage,
  session: ClientSession,
): Promise<Change | null> => {
  const first_text = firstWords(message);
  const isFirst = first_text !== undefined && first_text !== before.first_text;
  if (!before.preflight || !isFirst || message.sender !== before.snapshot.lead?.lead_id) return null;
  const shown = { first_text, preflight: false };
  const change = await routed({ ...before, ...shown }, session);
  await keepLead(before, session);
  return {
    ...change,
    set: { ...change?.set, ...shown },
    tells: [
      'request.update.preflight',
      'request.update',
      ['request.updated', { comment: 'FIRSTTEXT_PREFLIGHT_CHANGE', patch: shown }],
      ...(change?.tells ?? []),
    ],
  };
};
