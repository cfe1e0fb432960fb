/**
 * Compares the rollups of a project with its records, and corrects them while the system is running. First every record
 * is compared with its contribution, then the rows of each day with the contributions of that day, then the sketches of
 * each block of days with those of its days.
 */
import { AnalyticsContribution } from '../../models/analytics-contribution.ts';
import { AnalyticsRebuild } from '../../models/analytics-rebuild.ts';
import { AnalyticsRollup } from '../../models/analytics-rollup.ts';
import { Conversation } from '../../models/conversation.ts';
import { CustomEvent } from '../../models/custom-event.ts';
import { Message } from '../../models/message.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { updateContributions } from './contributions.ts';
import { DAY_MS } from './quarter-hours.ts';
import { readIds } from './record-ids.ts';
import { recountMessages } from './count-events.ts';
import { blockOf } from './day-totals.ts';
import { rebuildBlock } from './rebuild-block.ts';
import { type BatchResult, rebuildDay } from './rebuild-day.ts';
import type { Subject } from './series.ts';

/** Progress of a rebuild. `total` counts every record once, and every contribution twice because it is read twice. */
export type ReportProgress = (progress: { done: number; total: number }) => void;

/** The differences that a rebuild found. */
export interface RebuildResult {
  /** Number of records that differed from their contributions. */
  records: number;
  /** Number of rows that differed from the sums of the contributions. */
  rows: number;
}

/**
 * Records per transaction: about the number of conversations per day in a project that has 1,000,000 per year, so that
 * each row of a day is written once.
 */
const BATCH_SIZE = 2500;

/** The model of each subject's records. Tags are left out, because a removed tag remains counted. */
const RECORDS = { requests: Conversation, messages: Message, project_users: ProjectUser, events: CustomEvent } as const;
type RecordSubject = keyof typeof RECORDS;

const contributionsOf = (subject: RecordSubject) => `counted ${subject}`;

interface Step {
  name: string;
  /** Returns the next batch of ids or days after the given id or day; empty at the end. */
  next(after: string): Promise<string[]>;
  run(batch: string[]): Promise<BatchResult>;
  kind: keyof RebuildResult;
}

const compareRecords = async (
  subject: Subject,
  id_project: string,
  { ids, dryRun }: { ids: string[]; dryRun: boolean },
): Promise<BatchResult> => {
  const { changed, recount } = await updateContributions(subject, { projects: [id_project], ids }, { dryRun });
  if (!dryRun) for (const ref of recount) await recountMessages(ref);
  return { compared: ids.length, differences: changed };
};

/** Returns the ids that have no record. */
const withoutRecord = async (subject: RecordSubject, id_project: string, ids: string[]): Promise<string[]> => {
  const stored = new Set(await readIds(RECORDS[subject], { id_project }, { ids, limit: ids.length }));
  return ids.filter((id) => !stored.has(id));
};

const recordSteps = (id_project: string, dryRun: boolean): Step[] =>
  (Object.keys(RECORDS) as RecordSubject[]).flatMap((subject): Step[] => {
    const run = (ids: string[]) => compareRecords(subject, id_project, { ids, dryRun });
    // The first of the two steps below has already compared the existing records.
    const runDeleted = async (ids: string[]) => {
      const deleted = await withoutRecord(subject, id_project, ids);
      return { ...(deleted.length ? await run(deleted) : { differences: 0 }), compared: ids.length };
    };
    const counted = { id_project, subject };
    return [
      {
        name: subject,
        kind: 'records',
        run,
        next: (after) => readIds(RECORDS[subject], { id_project }, { after, limit: BATCH_SIZE }),
      },
      {
        ...{ name: contributionsOf(subject), kind: 'records', run: runDeleted },
        next: (after) => readIds(AnalyticsContribution, counted, { after, limit: BATCH_SIZE }),
      },
    ];
  });

/** Returns the days that have rows or contributions, in order. */
const readDays = async (id_project: string): Promise<number[]> => {
  const day = { $floor: { $divide: [{ $toLong: '$createdAt' }, DAY_MS] } };
  const [rows, counted] = await Promise.all([
    AnalyticsRollup.distinct('day', { id_project }),
    AnalyticsContribution.aggregate<{ _id: number }>([{ $match: { id_project } }, { $group: { _id: day } }]),
  ]);
  return [...new Set([...rows, ...counted.map(({ _id }) => _id)])].toSorted((one, other) => one - other);
};

/** A step that runs once per day, or per block of days. */
const dayStep = (
  name: string,
  listDays: () => Promise<number[]>,
  runDay: (day: number) => Promise<BatchResult>,
): Step => {
  let days: Promise<number[]> | undefined;
  return {
    ...{ name, kind: 'rows' },
    next: async (after) => {
      days ??= listDays();
      const next = (await days).find((day) => after === '' || day > Number(after));
      return next === undefined ? [] : [String(next)];
    },
    run: ([day]) => runDay(Number(day)),
  };
};

const daySteps = (id_project: string, dryRun: boolean): Step[] => {
  const subjects = Object.keys(RECORDS);
  const listBlocks = async () => [...new Set((await readDays(id_project)).map(blockOf))];
  return [
    dayStep(
      'days',
      () => readDays(id_project),
      (day) => rebuildDay({ id_project, day, subjects }, dryRun),
    ),
    dayStep('blocks', listBlocks, (block) => rebuildBlock(id_project, block, dryRun)),
  ];
};

/**
 * Adds the records of a project that the rollups do not include yet. Unlike a rebuild, it does not compare the stored
 * rows with the contributions.
 */
export const countNewRecords = async (id_project: string): Promise<void> => {
  for (const { name, next, run } of recordSteps(id_project, false)) {
    if (!(name in RECORDS)) continue;
    for (let ids = await next(''); ids.length; ids = await next(ids.at(-1) ?? '')) await run(ids);
  }
};

const countWork = async (id_project: string): Promise<number> => {
  const subject = { $in: Object.keys(RECORDS) };
  const [contributions, ...counts] = await Promise.all([
    AnalyticsContribution.countDocuments({ id_project, subject }),
    Conversation.countDocuments({ id_project }),
    Message.countDocuments({ id_project }),
    ProjectUser.countDocuments({ id_project }),
    CustomEvent.countDocuments({ id_project }),
  ]);
  const records = counts.reduce((sum, count) => sum + count, 0);
  // At the start of the first rebuild, no contributions are stored yet; the rebuild creates about one per record.
  return records + 2 * Math.max(records, contributions);
};

/**
 * Rebuilds the rollups of a project, or only compares them if `dryRun` is set. An interrupted rebuild continues where
 * it stopped; a dry run always starts from the beginning.
 */
export const rebuild = async (
  id_project: string,
  { dryRun = false, onProgress }: { dryRun?: boolean; onProgress?: ReportProgress } = {},
): Promise<RebuildResult> => {
  const steps = [...recordSteps(id_project, dryRun), ...daySteps(id_project, dryRun)];
  const saved = dryRun ? null : await AnalyticsRebuild.findOne({ id_project }).lean();
  const total = await countWork(id_project);
  const result: RebuildResult = { records: saved?.records ?? 0, rows: saved?.rows ?? 0 };
  let done = saved?.done ?? 0;
  const firstStep = Math.max(
    0,
    steps.findIndex(({ name }) => name === saved?.step),
  );
  for (const [index, { name, next, run, kind }] of steps.slice(firstStep).entries()) {
    let after = index === 0 ? (saved?.after ?? '') : '';
    for (let batch = await next(after); batch.length; batch = await next(after)) {
      const { compared, differences } = await run(batch);
      result[kind] += differences;
      done += compared;
      after = batch.at(-1) ?? after;
      const progress = { step: name, after, done, ...result };
      if (!dryRun) await AnalyticsRebuild.updateOne({ id_project }, { $set: progress }, { upsert: true });
      onProgress?.({ done: Math.min(done, total), total });
    }
  }
  onProgress?.({ done: total, total });
  if (!dryRun) await AnalyticsRebuild.deleteOne({ id_project });
  return result;
};
