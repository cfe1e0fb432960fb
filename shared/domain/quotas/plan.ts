/** The plan of a project: the limits in `profile.quotes`, and the billing period in which usage is counted. */
import { notFound } from '../../errors.ts';
import { Project } from '../../models/project.ts';
import { COUNTED_TYPES, type CountedType } from '../../models/quota-usage.ts';
import { currentTime } from '../../time/clock.ts';
import { type BillingPeriod, billingPeriodAt } from './billing-period.ts';

/** The types of quotas: the names of the limits in `profile.quotes`. */
export const QUOTA_TYPES = [...COUNTED_TYPES, 'chatbots', 'kbs', 'namespace'] as const;
export type QuotaType = (typeof QUOTA_TYPES)[number];

/** The types that have a counter even without a limit: no records exist from which they could be counted. */
const ALWAYS_COUNTED_TYPES = ['tokens', 'voice_duration'] as const satisfies readonly CountedType[];
export type AlwaysCountedType = (typeof ALWAYS_COUNTED_TYPES)[number];

const parseType = <T extends string>(text: string, types: readonly T[]): T => {
  const type = types.find((each) => each === text);
  if (type) return type;
  throw notFound(`type must be one of ${types.join(', ')}`);
};

/** Returns the type with this name. Throws 404 for an unknown name. */
export const parseQuotaType = (text: string): QuotaType => parseType(text, QUOTA_TYPES);

/** Returns the type with this name if it is always counted. Throws 404 for any other name. */
export const parseAlwaysCountedType = (text: string): AlwaysCountedType => parseType(text, ALWAYS_COUNTED_TYPES);

/** The fields of a project that determine its plan. Quota events contain them. */
export interface PlanRecord {
  _id: string;
  name: string;
  profile: Record<string, unknown>;
  createdAt: Date;
}

/** The fields of a project, and its limits by type. A type that is absent from `limits` is unlimited. */
export interface ProjectPlan {
  project: PlanRecord;
  limits: Partial<Record<QuotaType, number>>;
}

export const PLAN_FIELDS = { name: 1, profile: 1, createdAt: 1 } as const;

const toLimit = (value: unknown): number | undefined => {
  const limit = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof limit === 'number' && limit >= 0 ? limit : undefined;
};

const quotesIn = (profile: Record<string, unknown>): Record<string, unknown> => {
  const { quotes } = profile;
  return typeof quotes === 'object' && quotes !== null ? (quotes as Record<string, unknown>) : {};
};

/** Returns the limits in a profile. A limit that is not a number of at least 0 is ignored. */
export const limitsOf = (profile: Record<string, unknown>): ProjectPlan['limits'] => {
  const quotes = quotesIn(profile);
  const entries = QUOTA_TYPES.map((type) => [type, toLimit(quotes[type])] as const);
  return Object.fromEntries(entries.filter(([, limit]) => limit !== undefined));
};

/** Returns the types whose limits in a profile are invalid: neither absent nor a number of at least 0. */
export const invalidLimits = (profile: Record<string, unknown>): QuotaType[] => {
  const quotes = quotesIn(profile);
  return QUOTA_TYPES.filter((type) => quotes[type] != null && toLimit(quotes[type]) === undefined);
};

type StoredProject = { _id: unknown; name?: string; profile?: unknown; createdAt?: Date } | null;

/** Returns the plan of a project from its record. A project that does not exist has no limits. */
export const planOf = (id_project: string, record: StoredProject): ProjectPlan => {
  const profile = (record?.profile ?? {}) as Record<string, unknown>;
  const project = { _id: id_project, name: record?.name ?? '', profile, createdAt: record?.createdAt ?? currentTime() };
  return { project, limits: limitsOf(profile) };
};

export const readPlan = async (id_project: string): Promise<ProjectPlan> =>
  planOf(id_project, await Project.findOne({ _id: id_project }, PLAN_FIELDS).lean());

/** Returns the billing period of a project that contains the time `at`, by default the current time. */
export const periodOf = ({ project }: ProjectPlan, at = currentTime()): BillingPeriod =>
  billingPeriodAt(at, new Date(project.createdAt));
