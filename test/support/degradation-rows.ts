/** The rows of docs/degradation.md, and the trial of a row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ProjectWithCalls } from './degradation-calls.ts';
import type { DegradableSystem, Outage } from './degradation-system.ts';
import { waitUntil } from './wait-until.ts';

/** The time after the start of an outage for which `/health/ready` may answer as before. */
const READINESS_CACHE_MS = 700;
/** The pause between rounds of all calls after an outage. A shorter pause would add too many records to check. */
const RETRY_MS = 500;

/** What every call returns while all parts work. */
const WORKING = {
  list: '200',
  message: '200',
  question: '200',
  content: '200',
  upload: '201',
  download: '200',
  invitation: '200',
  ticket: '200',
  live: '200',
  ready: '200',
};

type CallName = keyof typeof WORKING;

/**
 * The answers to the calls that the outage affects: the status and, for an error, its code and `Retry-After` in seconds
 * (`-` without the header).
 */
type Answers = Partial<Record<CallName, string>>;

/** Not compared. Stream tickets are in Redis; without MongoDB, only callers whose access is cached receive one. */
const ANY = 'any';
const UNAVAILABLE = '503 UNAVAILABLE 2';
const NOT_READY = '503 down -';
const WITHOUT_MONGODB: Answers = {
  ...Object.fromEntries(Object.keys(WORKING).map((name) => [name, UNAVAILABLE])),
  ticket: ANY,
  live: '200',
  ready: NOT_READY,
};
const WITHOUT_REDIS: Answers = { ticket: UNAVAILABLE, ready: NOT_READY };
const WITHOUT_INDEX: Answers = { question: '503 INDEX_UNAVAILABLE 5', ready: NOT_READY };
const WITHOUT_STORAGE: Answers = { upload: '500 STORAGE_ERROR -', download: '500 STORAGE_ERROR -' };

/** A row: what the outage is, and what the affected calls return meanwhile. All other calls work. */
export interface DegradationRow {
  id: string;
  outage: keyof DegradableSystem['outages'];
  answers: Answers;
  /**
   * Whether the outage is a jump of the clock. If so, deliveries wait for another attempt during both jumps, and
   * everything that is accepted takes effect before the clock jumps back.
   */
  isJump?: boolean;
}

/** The rows in which a part hangs. A part that hangs is harder to survive than one that is down. */
export const HANGING_ROWS: DegradationRow[] = [
  { id: 'D2', outage: 'redis paused', answers: WITHOUT_REDIS },
  { id: 'D4', outage: 'mongodb paused', answers: WITHOUT_MONGODB },
  { id: 'D6', outage: 'qdrant paused', answers: WITHOUT_INDEX },
  { id: 'D8', outage: 'ai hangs', answers: { question: '504 AI_TIMEOUT -' } },
  { id: 'D10', outage: 'smtp hangs', answers: {} },
  { id: 'D12', outage: 's3 hangs', answers: WITHOUT_STORAGE },
  { id: 'D14', outage: 'receiver hangs', answers: {} },
];

/** The rows in which a part is down. */
export const DOWN_ROWS: DegradationRow[] = [
  { id: 'D1', outage: 'redis killed', answers: WITHOUT_REDIS },
  { id: 'D3', outage: 'mongodb killed', answers: WITHOUT_MONGODB },
  { id: 'D5', outage: 'qdrant killed', answers: WITHOUT_INDEX },
  { id: 'D7', outage: 'ai refuses', answers: { question: '503 AI_UNAVAILABLE 5' } },
  { id: 'D9', outage: 'smtp refuses', answers: {} },
  { id: 'D11', outage: 's3 refuses', answers: WITHOUT_STORAGE },
  { id: 'D13', outage: 'receiver refuses', answers: {} },
];

/** The rows in which the clock of the API and of the worker jumps, while the clocks of the other parts do not. */
export const CLOCK_ROWS: DegradationRow[] = [
  { id: 'D16', outage: 'clock ahead', answers: {}, isJump: true },
  { id: 'D17', outage: 'clock behind', answers: {}, isJump: true },
];

/** Runs `work` while deliveries wait for another attempt, because their receiver has refused a connection. */
const whileRetrying = async (
  { outages }: DegradableSystem,
  { makeAll, hasFailedDelivery }: ProjectWithCalls,
  work: () => unknown,
): Promise<void> => {
  const refusal = outages['receiver refuses'];
  await refusal.begin();
  try {
    await makeAll();
    await waitUntil(hasFailedDelivery);
    await work();
  } finally {
    await refusal.end();
  }
};

const outageOf = (system: DegradableSystem, project: ProjectWithCalls, { outage, isJump }: DegradationRow): Outage => {
  const { begin, end } = system.outages[outage];
  if (!isJump) return { begin, end };
  return {
    begin: () => whileRetrying(system, project, begin),
    end: () => whileRetrying(system, project, end),
  };
};

const isRunning = (pid: number): boolean => process.kill(pid, 0);

/**
 * Makes all calls during the outage, and again after it. Expects the answers of the row, then that every call works,
 * that everything accepted takes effect, that the records have the right time, and that no process was restarted.
 * Returns the seconds from the start of the outage until the answers, and from its end until every call works again and
 * until everything has taken effect.
 */
export const runRow = async (
  system: DegradableSystem,
  project: ProjectWithCalls,
  row: DegradationRow,
): Promise<{ answerSeconds: number; recoverySeconds: number; settleSeconds: number }> => {
  const { makeAll, settle, countMisdated } = project;
  const { outage, answers, isJump } = row;
  await waitUntil(async () => (await makeAll()).ready === WORKING.ready);
  await settle(); // otherwise, an outage that begins before the SMTP server has answered causes a second email
  const { begin, end } = outageOf(system, project, row);
  const began = performance.now();
  await begin();
  let answered = began;
  try {
    await sleep(READINESS_CACHE_MS);
    const during = await makeAll();
    answered = performance.now();
    const expected: Record<string, string> = { ...WORKING, ...answers };
    for (const [name, answer] of Object.entries(expected)) if (answer === ANY) during[name] = ANY;
    expect(during, outage).to.deep.equal(expected);
    if (isJump) await settle();
  } finally {
    await end();
  }
  const ended = performance.now();
  let after: Record<string, string> = {};
  const works = async () => {
    if (Object.keys(after).length > 0) await sleep(RETRY_MS);
    after = await makeAll();
    return JSON.stringify(after) === JSON.stringify(WORKING);
  };
  await waitUntil(works).catch(() => expect(after, `after ${outage}`).to.deep.equal(WORKING));
  const recovered = performance.now();
  await settle();
  const settled = performance.now();
  expect(await countMisdated()).to.equal(0);
  expect(system.processes.every(({ pid }) => isRunning(pid))).to.equal(true);
  return {
    answerSeconds: (answered - began) / 1000,
    recoverySeconds: (recovered - ended) / 1000,
    settleSeconds: (settled - ended) / 1000,
  };
};
