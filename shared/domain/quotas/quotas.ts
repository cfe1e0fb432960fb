/**
 * Quotas of projects: the limits in `profile.quotes`, and what a project has used in a billing period. Usage without a
 * limit is counted only.
 */
import { AppError, notFound } from '../../errors.ts';
import { Bot, IDENTITY_BOT_TYPE } from '../../models/bot.ts';
import { Budget } from '../../models/budget.ts';
import { CONVERSATION_STATUS, Conversation } from '../../models/conversation.ts';
import { KbContent } from '../../models/kb-content.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import { Mail } from '../../models/mail.ts';
import { Message } from '../../models/message.ts';
import { Project } from '../../models/project.ts';
import { type BillingPeriod, billingPeriodAt } from '../projects/billing-period.ts';

/** The types of quotas: the names of the limits in `profile.quotes`. */
export const QUOTA_TYPES = [
  'requests',
  'messages',
  'email',
  'tokens',
  'voice_duration',
  'chatbots',
  'kbs',
  'namespace',
] as const;
export type QuotaType = (typeof QUOTA_TYPES)[number];

/** The types whose usage is added to a counter. The usage of all other types is counted from the records. */
const ADDED_TYPES = ['tokens', 'voice_duration'] as const;
type AddedType = (typeof ADDED_TYPES)[number];

const parseType = <T extends string>(text: string, types: readonly T[]): T => {
  const type = types.find((each) => each === text);
  if (type) return type;
  throw notFound(`type must be one of ${types.join(', ')}`);
};

/** Returns the type with this name. Throws 404 for an unknown name. */
export const parseQuotaType = (text: string): QuotaType => parseType(text, QUOTA_TYPES);

/** Returns the type with this name, to whose usage a caller may add. Throws 404 for any other name. */
export const parseAddedType = (text: string): AddedType => parseType(text, ADDED_TYPES);

interface ProjectPlan {
  limits: Record<string, unknown>;
  period: BillingPeriod;
}

const readPlan = async (id_project: string, now = new Date()): Promise<ProjectPlan> => {
  const project = await Project.findOne({ _id: id_project }, { profile: 1, createdAt: 1 }).lean();
  const { quotes } = (project?.profile ?? {}) as { quotes?: Record<string, unknown> };
  return { limits: quotes ?? {}, period: billingPeriodAt(now, project?.createdAt ?? now) };
};

const limitOf = ({ limits }: ProjectPlan, type: QuotaType): number | undefined =>
  typeof limits[type] === 'number' ? limits[type] : undefined;

const budgetKey = (id_project: string, type: AddedType, { start }: BillingPeriod) => ({
  id_project,
  name: `quota_${type}`,
  period: start,
});

const readAdded = async (id_project: string, type: AddedType, period: BillingPeriod): Promise<number> =>
  (await Budget.findOne(budgetKey(id_project, type, period), { spent: 1 }).lean())?.spent ?? 0;

const ALL_STATUSES = Object.values(CONVERSATION_STATUS) as number[];

const countRecords: Record<
  Exclude<QuotaType, AddedType>,
  (project: string, period: BillingPeriod) => Promise<number>
> = {
  requests: (id_project, { start, end }) =>
    Conversation.countDocuments({
      id_project,
      preflight: { $in: [true, false] },
      status: { $in: ALL_STATUSES },
      createdAt: { $gte: start, $lt: end },
    }),
  messages: (id_project, { start, end }) =>
    Message.countDocuments({ id_project, createdAt: { $gte: start, $lt: end } }),
  email: (id_project, { start, end }) => Mail.countDocuments({ id_project, createdAt: { $gte: start, $lt: end } }),
  chatbots: (id_project) =>
    Bot.countDocuments({ id_project, trashed: false, root_id: { $exists: false }, type: { $ne: IDENTITY_BOT_TYPE } }),
  kbs: (id_project) => KbContent.countDocuments({ id_project }),
  namespace: (id_project) => KbNamespace.countDocuments({ id_project }),
};

const isAdded = (type: QuotaType): type is AddedType => (ADDED_TYPES as readonly string[]).includes(type);

const readUsed = (id_project: string, type: QuotaType, period: BillingPeriod): Promise<number> =>
  isAdded(type) ? readAdded(id_project, type, period) : countRecords[type](id_project, period);

/** Returns what the project has used of each type in the billing period that contains `at`, and that period. */
export const readQuotas = async (id_project: string, at?: Date) => {
  const { period } = await readPlan(id_project, at);
  const used = await Promise.all(
    QUOTA_TYPES.map(async (type) => [type, { quote: await readUsed(id_project, type, period) }] as const),
  );
  return { quotes: Object.fromEntries(used) as Record<QuotaType, { quote: number }>, period };
};

/** Whether the project may use more of this type. Always true without a limit. */
export const hasQuotaLeft = async (id_project: string, type: QuotaType): Promise<boolean> => {
  const plan = await readPlan(id_project);
  const limit = limitOf(plan, type);
  return limit === undefined || (await readUsed(id_project, type, plan.period)) < limit;
};

/** Adds to the usage of the current billing period. Returns the new sum and the key of the counter. */
export const addUsage = async (id_project: string, type: AddedType, amount: number) => {
  const { period } = await readPlan(id_project);
  const counter = await Budget.findOneAndUpdate(
    budgetKey(id_project, type, period),
    { $inc: { spent: amount }, $setOnInsert: { expiresAt: period.end } },
    { upsert: true, returnDocument: 'after', projection: { spent: 1 } },
  ).lean();
  const month = period.start.toISOString().slice(0, 7);
  return { key: `quotes:${type}:${id_project}:${month}`, currentQuote: counter?.spent ?? amount };
};

const planLimitError = (text: string, plan_limit: number) =>
  new AppError(403, 'PLAN_LIMIT', text).with({ body: { plan_limit } });

const limitReachedError = (limit: number) =>
  planLimitError('Maximum number of resources reached for the current plan', limit);

/** Throws 403 if the project's plan does not allow this number of further contents. */
export const assertContentsLeft = async (id_project: string, added: number): Promise<void> => {
  const plan = await readPlan(id_project);
  const limit = limitOf(plan, 'kbs');
  if (limit === undefined) return;
  const used = await readUsed(id_project, 'kbs', plan.period);
  if (used >= limit) throw limitReachedError(limit);
  if (used + added > limit) throw planLimitError('Cannot exceed the number of resources in the current plan', limit);
};

/** Throws 403 if the project's plan does not allow a further knowledge base. */
export const assertNamespacesLeft = async (id_project: string): Promise<void> => {
  const plan = await readPlan(id_project);
  const limit = limitOf(plan, 'namespace');
  if (limit !== undefined && (await readUsed(id_project, 'namespace', plan.period)) >= limit)
    throw limitReachedError(limit);
};

/** Throws 403 if the project has used up the tokens of its plan. Deployed clients rely on the fields of the error. */
export const assertTokenQuota = async (id_project: string): Promise<void> => {
  if (await hasQuotaLeft(id_project, 'tokens')) return;
  throw new AppError(403, 'TOKENS_QUOTA', 'Tokens quota exceeded').with({
    body: { message: 'Tokens quota exceeded', error_code: 13_001 },
  });
};
