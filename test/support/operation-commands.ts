/** Counts the MongoDB commands of operations of the API, including those of the relay and of the workers. */
import mongoose from 'mongoose';
import { blockingRedis } from '#shared/queue/redis.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { initCursors, countPending, listeners } from '#shared/domain/events/listeners.ts';

import { queues } from '#shared/queue/queue.ts';
import { Mail } from '#shared/models/mail.ts';
import { createQueueWorker } from '../../workers/queue-worker.ts';
import { startRelayOnce } from './relay.ts';
import { setTimeout as sleep } from 'node:timers/promises';
export interface Noted { at: number; name: string; collection: string; stack: string[]; text: string }
export const aSystem = async () => {
  await initCursors();
  startRelayOnce();
  const connection = blockingRedis();
  const workers = QUEUE_NAMES.map((queue) => createQueueWorker(queue, { connection, concurrency: 16 }));
  const noted: Noted[] = [];
  Error.stackTraceLimit = 50;
  mongoose.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const stack = (new Error('x').stack ?? '').split('\n').filter((l) => !l.includes('node_modules') && !l.includes('operation-commands'))
      .map((l) => /((shared|api|workers|test)\/[^)]*)/.exec(l.replace(/.*commands20\//, ''))?.[1]).filter(Boolean).slice(0, 8) as string[];
    noted.push({ at: Date.now(), name: commandName, collection: String(command.collection ?? command[commandName]), stack, text: JSON.stringify(command, (k, v) => (k === 'lsid' || k === '$clusterTime' ? undefined : v)).slice(0, 600) });
  });
  const isTest = ({ stack }: Noted) => stack[0]?.startsWith('test/') ?? false;
  const settle = async () => {
    for (let calm = 0; calm < 6; ) {
      await sleep(100);
      const pending = (await Promise.all(listeners.map((l) => countPending(l)))).some(Boolean);
      const active = (await Promise.all(queues().map((q) => q.getJobCounts('active', 'waiting')))).some((c) => c.active || c.waiting);
      calm = pending || active || (await Mail.exists({ dueAt: { $exists: true } })) ? 0 : calm + 1;
    }
  };
  return { noted, isTest, settle, close: async () => { await Promise.all(workers.map((w) => w.close())); connection.disconnect(); } };
};
