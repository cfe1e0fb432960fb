/** The relay: one process at a time follows the database's log and appends what it tells to the changes log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import { keep, leave, type Progress, type Turn, take } from '#shared/domain/events/relay.ts';
import { logger } from '#shared/logger.ts';
import { relay } from './batch.ts';
import { isLost, tellGap } from './gap.ts';
import { aRecord } from './lags.ts';
import { closeNudges } from './nudge.ts';
import { type Batch, openStream, type Start } from './stream.ts';
import { watchWindow } from './window.ts';

const LOOK_MS = 300;
const RENEW_MS = 400;
/** Changes of so long go together: under load a few large batches cost the database a fraction of many small ones. */
const GATHER_MS = 20;

const startOf = ({ token, beginning }: Turn): Start =>
  token ? { startAfter: token } : { startAtOperationTime: beginning };

/** Renews the turn and notes the progress every few moments, whatever else goes on; aborts when the turn is lost. */
const renewing = (turn: Turn, progress: () => Progress) => {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      if (!(await keep(turn, progress()))) lost.abort();
    } catch (error) {
      logger.warn({ err: (error as Error).message }, 'the turn to relay is not renewed');
    }
  };
  const timer = setInterval(renew, RENEW_MS);
  return { lost: lost.signal, renew, end: () => clearInterval(timer) };
};

const open = async (turn: Turn) => {
  await watchWindow(turn.complete);
  try {
    return await openStream(startOf(turn));
  } catch (error) {
    if (!isLost(error)) throw error;
    const stream = await openStream({});
    await tellGap(turn, stream.token._data);
    return stream;
  }
};

type Stream = Awaited<ReturnType<typeof openStream>>;

/** Its failure is met by whoever awaits it, which may be a while after. */
const coming = (stream: Stream, pauseMs = 0): Promise<Batch> => {
  const batch = sleep(pauseMs).then(() => stream.next());
  batch.catch(() => undefined);
  return batch;
};

/** Reads the next changes while the last ones are relayed. */
const relayAll = async (stream: Stream, stop: AbortSignal, done: (batch: Batch, lags: number[]) => void) => {
  let next = coming(stream);
  try {
    while (!stop.aborted) {
      const batch = await next;
      next = coming(stream, batch.changes.length ? GATHER_MS : 0);
      done(batch, await relay(batch.changes));
    }
  } finally {
    await stream.close();
    await Promise.allSettled([next]); // closed under it
  }
};

const follow = async (turn: Turn, over: AbortSignal): Promise<void> => {
  let reached: Progress = { token: turn.token };
  const lags = aRecord();
  const { lost, renew, end } = renewing(turn, () => ({ ...reached, lag: lags.summary() }));
  try {
    await relayAll(await open(turn), AbortSignal.any([lost, over]), ({ changes, token }, more) => {
      reached = { token, complete: changes.at(-1)?.at ?? new Date() };
      lags.add(more);
    });
  } finally {
    end();
    await renew();
    await leave(turn);
  }
};

const takeTurns = async (holder: string, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    try {
      const turn = await take(holder);
      if (turn) await follow(turn, over);
    } catch (error) {
      if (over.aborted) return;
      logger.warn({ err: error }, 'the relay begins again');
    }
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => undefined); // told to stop: the loop ends
  }
};

/** Relay whenever it is this process's turn, until stopped. `holder` may be given by whoever starts and stops it often. */
export const startRelay = (holder = ulid()) => {
  const over = new AbortController();
  const turns = takeTurns(holder, over.signal);
  return {
    stop: async (): Promise<void> => {
      over.abort();
      await turns;
      closeNudges();
    },
  };
};
