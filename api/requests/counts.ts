/** How many conversations a project has (contract b 1.5). */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import * as tallies from '#shared/domain/conversations/tallies.ts';
import { slotAt } from '#shared/domain/projects/billing-slot.ts';
import { Project } from '#shared/models/project.ts';
import { REQUEST, Request } from '#shared/models/request.ts';
import { countOf } from '#shared/read.ts';

const DAY_MS = 86_400_000;
const { unserved, served, closed } = REQUEST;

/** Query of the counts. */
export const CountsQuery = z.object({
  merge_assigned: z.string().optional().meta({ description: 'Any value: those of bots count as assigned' }),
  conversation_quota: flag()
    .optional()
    .meta({ description: '`true`: those of the present month, counted from the day on which the project was made' }),
});

const figure = z.number();
const Waiting = z.strictObject({ unassigned: figure, assigned: figure, bot_assigned: figure.optional() });
const day = z.string().meta({ description: 'DD/MM/YYYY, UTC' });
const Quota = z.strictObject({
  open: figure,
  closed: figure,
  slot: z.strictObject({ startDate: day, endDate: day.meta({ description: 'The last day, DD/MM/YYYY, UTC' }) }),
});

/** The counts. */
export const Counts = z.union([Waiting, Quota]);

const waiting = async (id_project: string, { merge_assigned }: z.output<typeof CountsQuery>) => {
  const status = { $in: [unserved, served] };
  const counts = await tallies.counts({ id_project, status, preflight: false, draft: false });
  const sum = (of: number, bots: boolean[]) =>
    counts.filter(({ status, hasBot }) => status === of && bots.includes(hasBot)).reduce((all, { n }) => all + n, 0);
  const unassigned = sum(unserved, [true, false]);
  if (merge_assigned !== undefined) return { unassigned, assigned: sum(served, [true, false]) };
  return { unassigned, assigned: sum(served, [false]), bot_assigned: sum(served, [true]) };
};

const written = (at: Date): string => at.toISOString().slice(0, 10).split('-').toReversed().join('/');

const quota = async (id_project: string) => {
  const project = await Project.findOne({ _id: id_project }, { createdAt: 1 }).orFail().lean();
  const { start, end } = slotAt(new Date(), project.createdAt);
  const within = { id_project, preflight: { $in: [true, false] }, createdAt: { $gte: start, $lt: end } };
  const [open, done] = await Promise.all([
    countOf(Request, { ...within, status: { $in: [unserved, served] } }),
    countOf(Request, { ...within, status: closed }),
  ]);
  const endDate = written(new Date(end.getTime() - DAY_MS));
  return { open, closed: done, slot: { startDate: written(start), endDate } };
};

/** Those that wait and are served, or the present month's. */
export const countsOf = (id_project: string, query: z.output<typeof CountsQuery>): Promise<z.input<typeof Counts>> =>
  query.conversation_quota ? quota(id_project) : waiting(id_project, query);
