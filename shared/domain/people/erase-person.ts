/**
 * Erases a person from every collection, the storages of files, finished jobs, log files and the outbox folder.
 * Contents of knowledge bases, and therefore the chunk index, are not changed: the report lists the contents that
 * contain data of the person. The erasure can be repeated: another run erases what an interrupted run has left.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { RelayState } from '../../models/relay-state.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { eraseJobs } from './erase-jobs.ts';
import { eraseFromLogs, eraseFromOutbox } from './erase-local-files.ts';
import { type ErasureCounts, eraseRecords } from './erase-records.ts';
import { findSoleOwnerships, FIRST_STEPS, LAST_STEPS } from './erase-steps.ts';
import { findPerson } from './find-person.ts';
import type { Person } from './person.ts';
import { type PersonalCollection, personalCollections } from './search-records.ts';

/** The counts of each collection that contains data of the person, and of the data outside the database. */
export type ErasureReport = Record<string, ErasureCounts>;

export interface EraseOptions {
  /** Limits the erasure to one project; no account is deleted in that case. */
  project?: string;
  dryRun: boolean;
  /** Whether to close (disable) the projects of which the account is the only owner. */
  closesProjects: boolean;
  onProgress(progress: { done: number; total: number }): void;
}

interface ErasureState {
  person: Person;
  report: ErasureReport;
  options: EraseOptions;
  startedAt: Date;
}

const add = (report: ErasureReport, name: string, counts: Partial<ErasureCounts>): void => {
  const { deleted = 0, redacted = 0, reported = 0, ids = [] } = counts;
  const before = report[name] ?? { deleted: 0, redacted: 0, reported: 0, ids: [] };
  if (!deleted && !redacted && !reported) return;
  report[name] = {
    deleted: before.deleted + deleted,
    redacted: before.redacted + redacted,
    reported: before.reported + reported,
    ids: [...before.ids, ...ids],
  };
};

const eraseCollections = async (state: ErasureState, collections: PersonalCollection[]): Promise<void> => {
  const { person, report, options, startedAt } = state;
  for (const [index, each] of collections.entries()) {
    add(report, each.model.modelName, await eraseRecords(each, { person, dryRun: options.dryRun, startedAt }));
    options.onProgress({ done: index + 1, total: collections.length });
  }
};

const RELAY_POLL_MS = 200;
const MAX_RELAY_WAIT_MS = 10_000;

/** Waits until the events of the erasure are in the changes log. Returns false if no worker relays them in time. */
const waitForRelay = async (): Promise<boolean> => {
  const since = currentTime();
  for (const end = currentTimeMs() + MAX_RELAY_WAIT_MS; currentTimeMs() < end; await sleep(RELAY_POLL_MS)) {
    const relay = await RelayState.findOne({}, { relayedUntil: 1, leaseUntil: 1 }).lean();
    if (relay?.relayedUntil && relay.relayedUntil > since) return true;
    if (!relay?.leaseUntil || relay.leaseUntil < new Date(currentTimeMs() - MAX_RELAY_WAIT_MS)) return false;
  }
  return false;
};

const runSteps = async ({ person, report, options }: ErasureState, steps: typeof LAST_STEPS): Promise<void> => {
  for (const { collection, count, erase } of steps) {
    add(report, collection, { deleted: count(person) });
    if (!options.dryRun) await erase(person);
  }
};

const eraseOutside = async ({ person, report, options: { dryRun } }: ErasureState): Promise<void> => {
  add(report, 'finished jobs', { deleted: await eraseJobs(person, dryRun) });
  add(report, 'log files', { redacted: await eraseFromLogs(person, dryRun) });
  add(report, 'outbox folder', { deleted: await eraseFromOutbox(person, dryRun) });
};

const assertOtherOwners = async (person: Person, { closesProjects, dryRun }: EraseOptions): Promise<string[]> => {
  const sole = await findSoleOwnerships(person);
  if (sole.length && !closesProjects && !dryRun)
    throw new AppError(
      409,
      'LAST_OWNER',
      `The account is the only owner of ${sole.join(', ')}. Give another teammate this role, or use --close-projects.`,
    );
  return sole;
};

/** The result of an erasure. */
export interface Erasure {
  report: ErasureReport;
  /** Projects that the erasure closes, because the account is their only owner. */
  closedProjects: string[];
  /**
   * Whether the events of the erasure were relayed before the collections that events are written to (`followsEvents`)
   * were searched again. Otherwise the relay and the listeners may still write records about the person.
   */
  isComplete: boolean;
}

/**
 * Erases the person whom `text` identifies: an email address, an account id, or the id or `lead_id` of a lead. In a dry
 * run, only counts what would change. Errors: 404 for an unknown id, 409 if the account is the only owner of a project
 * and `closesProjects` is not set.
 */
export const erasePerson = async (text: string, options: EraseOptions): Promise<Erasure> => {
  const person = await findPerson(text, options.project);
  const closedProjects = await assertOtherOwners(person, options);
  const [report, startedAt] = [{}, currentTime()];
  const state: ErasureState = { person, report, options, startedAt };
  const collections = personalCollections();
  // The collections with `namesFiles` are erased after the files, because the files are found through them.
  await eraseCollections(
    state,
    collections.filter(({ rule }) => !rule.namesFiles),
  );
  await runSteps(state, FIRST_STEPS);
  await eraseCollections(
    state,
    collections.filter(({ rule }) => rule.namesFiles),
  );
  // Before the leads and accounts: a repeated run needs the names in them to find the person in log files.
  await eraseOutside(state);
  await runSteps(state, LAST_STEPS);
  const emitsEvents = !options.dryRun && [...FIRST_STEPS, ...LAST_STEPS].some(({ count }) => count(person) > 0);
  const isComplete = !emitsEvents || (await waitForRelay());
  if (!options.dryRun)
    await eraseCollections(
      state,
      collections.filter(({ rule }) => rule.followsEvents),
    );
  return { report, closedProjects, isComplete };
};
