/** Endpoints for the quotas of a project. */
import { z } from 'zod';
import { BillingPeriodView, formatBillingPeriod } from '#shared/domain/quotas/billing-period.ts';
import { parseAlwaysCountedType, parseQuotaType } from '#shared/domain/quotas/plan.ts';
import * as quotas from '#shared/domain/quotas/quotas.ts';
import { decimal } from '#shared/wire/coercion.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/quotes';
const access = { role: 'agent', programs: 'all' } as const;

const Figure = z.strictObject({ quote: z.number() });

const readFigures = async (project: string, date?: Date) => {
  const { quotes, period } = await quotas.readQuotas(project, date);
  return { success: true as const, quotes, slot: formatBillingPeriod(period) };
};

export default [
  endpoint({
    method: 'post',
    path: BASE_PATH,
    ...access,
    summary:
      'Get what the project has used in a billing month, which starts on the day of the month on which the project was created',
    body: z.object({
      date: z.coerce.date().optional().meta({ description: 'A time in the billing month. Default: now' }),
    }),
    reply: z.strictObject({
      success: z.literal(true),
      quotes: z.record(z.string(), Figure),
      slot: BillingPeriodView,
    }),
    handle: ({ project, body }) => readFigures(project, body.date),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:type`,
    ...access,
    summary:
      'Check whether the project has quota of this type left. If the plan has no limit, the result is always true',
    reply: z.strictObject({ isAvailable: z.boolean() }),
    handle: async ({ project, params }) => ({
      isAvailable: await quotas.hasQuotaLeft(project, parseQuotaType(params.type)),
    }),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/incr/:type`,
    ...access,
    summary: 'Add tokens or seconds of speech that a client has used for the project',
    body: z.object({
      tokens: decimal(0, 1_000_000_000),
      model: z.string().max(INPUT_LIMITS.name).optional(),
    }),
    reply: z.strictObject({ message: z.string(), key: z.string(), currentQuote: z.number() }),
    handle: async ({ project, params, body }) => {
      const usage = await quotas.addUsage(project, parseAlwaysCountedType(params.type), body.tokens);
      return { message: 'Quote incremented', ...usage };
    },
  }),
];
