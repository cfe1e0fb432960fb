/** Counts the conversations of a project. */
import { z } from 'zod';
import { countRecords } from '#shared/database/raw-read.ts';
import * as counters from '#shared/domain/conversations/counters.ts';
import { BillingPeriodView, billingPeriodAt, formatBillingPeriod } from '#shared/domain/quotas/billing-period.ts';
import { CONVERSATION_STATUS, Conversation } from '#shared/models/conversation.ts';
import { Project } from '#shared/models/project.ts';
import { currentTime } from '#shared/time/clock.ts';
import { flag } from '#shared/wire/coercion.ts';

const { unserved, served, closed } = CONVERSATION_STATUS;

/** Query of the endpoint that returns the counts. */
export const CountsQuery = z.object({
  merge_assigned: z
    .string()
    .optional()
    .meta({ description: 'Any value: `assigned` includes the conversations that a bot serves' }),
  conversation_quota: flag()
    .optional()
    .meta({
      description:
        '`true`: count the open and closed conversations of the current billing month, which starts on the day of the ' +
        'month on which the project was created',
    }),
});

const conversationCount = z.number();
const OpenCounts = z.strictObject({
  unassigned: conversationCount,
  assigned: conversationCount,
  bot_assigned: conversationCount.optional(),
});
const MonthCounts = z.strictObject({
  open: conversationCount,
  closed: conversationCount,
  slot: BillingPeriodView,
});

/** Reply of the endpoint that returns the counts. */
export const CountsReply = z.union([OpenCounts, MonthCounts]);

const countOpen = async (id_project: string, { merge_assigned }: z.output<typeof CountsQuery>) => {
  const status = { $in: [unserved, served] };
  const counts = await counters.countsByStatus({ id_project, status, preflight: false, draft: false });
  const sumOf = (wantedStatus: number, hasBotValues: boolean[]) =>
    counts
      .filter(({ status, hasBot }) => status === wantedStatus && hasBotValues.includes(hasBot))
      .reduce((sum, { count }) => sum + count, 0);
  const unassigned = sumOf(unserved, [true, false]);
  if (merge_assigned !== undefined) return { unassigned, assigned: sumOf(served, [true, false]) };
  return { unassigned, assigned: sumOf(served, [false]), bot_assigned: sumOf(served, [true]) };
};

const countMonth = async (id_project: string) => {
  const project = await Project.findOne({ _id: id_project }, { createdAt: 1 }).orFail().lean();
  const period = billingPeriodAt(currentTime(), project.createdAt);
  const { start, end } = period;
  const monthFilter = { id_project, preflight: { $in: [true, false] }, createdAt: { $gte: start, $lt: end } };
  const [open, closedCount] = await Promise.all([
    countRecords(Conversation, { ...monthFilter, status: { $in: [unserved, served] } }),
    countRecords(Conversation, { ...monthFilter, status: closed }),
  ]);
  return { open, closed: closedCount, slot: formatBillingPeriod(period) };
};

/**
 * Counts the unassigned and assigned conversations or, with `conversation_quota`, the open and closed conversations of
 * the current billing month.
 */
export const countConversations = (
  id_project: string,
  query: z.output<typeof CountsQuery>,
): Promise<z.input<typeof CountsReply>> =>
  query.conversation_quota ? countMonth(id_project) : countOpen(id_project, query);
