import { expect } from 'chai';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { AdminAction } from '#shared/models/admin-action.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { waitForCount } from '../support/wait-until.ts';

const FAILURES = [
  ['kb.index-contents', 'MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:27017'],
  ['kb.index-contents', 'MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:27018'],
  ['kb.index-contents', `content ${'a'.repeat(24)} is broken`],
] as const;

describe('npm run cli -- queues', () => {
  const instance = hex(8);
  const prefix = `{${instance}:kb}`;
  let commands: CliProcess;
  let connection: Redis;
  let queue: Queue;
  const cli = (command: string) => commands.cli(command);

  /** Fills the `kb` queue with failed jobs. */
  const failJobs = async (): Promise<void> => {
    let failed = 0;
    const worker = new Worker('kb', async ({ data }) => Promise.reject(new Error(data.error)), {
      connection: connection.duplicate({ maxRetriesPerRequest: null }),
      prefix,
    });
    worker.on('failed', () => void (failed += 1));
    for (const [name, error] of FAILURES) await queue.add(name, { payload: {}, error });
    await waitForCount(() => failed, FAILURES.length);
    await worker.close();
  };

  before(async () => {
    connection = new Redis(config.REDIS_URL);
    queue = new Queue('kb', { connection, prefix });
    commands = await aCliProcess({ QUEUE_PREFIX: instance, EMBEDDING_MODEL_FILE: 'off' });
    await failJobs();
  });

  after(async () => {
    await commands.close();
    await queue.obliterate({ force: true });
    await queue.close();
    connection.disconnect();
  });

  it('`queues list` counts the jobs of every queue', async () => {
    const { code, out } = await cli('queues list');
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^queue +waiting +active +delayed +failed +oldest \(s\) +state\nkb +0 +0 +0 +3 +0 +running\n/)
      .and.match(/^maintenance /m);
  });

  it('`queues failed` groups failed jobs by reason, ignoring ids and numbers, and explains each reason', async () => {
    const { out, error } = await cli('queues failed --json');
    expect(error).to.equal('');
    const groups = JSON.parse(out);
    expect(groups.map(({ count, reason }: { count: number; reason: string }) => [count, reason])).to.deep.equal([
      [2, 'MongoServerSelectionError: connect ECONNREFUSED 127.0.0.1:…'],
      [1, 'content … is broken'],
    ]);
    expect(groups[0].explanation).to.match(/^MongoDB was unavailable/);
    expect((await cli('queues failed mail')).out).to.equal('No failed jobs.\n');
    expect(await cli('queues failed letters'))
      .to.include({ code: 1 })
      .and.property('error')
      .to.include('No queue letters');
  });

  it('`queues retry` and `queues discard` apply to the selected failed jobs, and are recorded', async () => {
    expect((await cli('queues discard kb --reason broken --dry-run')).out).to.equal('Would discard 1 failed job.\n');
    expect((await cli('queues discard kb --reason broken')).out).to.equal('1 failed job discarded.\n');
    expect((await cli('queues retry kb --job bulk.none')).out).to.equal('0 failed jobs will run again.\n');
    expect((await cli('queues retry kb')).out).to.equal('2 failed jobs will run again.\n');
    expect(await queue.getJobCounts('waiting', 'failed')).to.deep.equal({ waiting: 2, failed: 0 });
    const [last] = await AdminAction.find().sort({ createdAt: -1 }).limit(1).lean();
    expect(last).to.deep.include({ action: 'queues retry', target: 'kb, all jobs' });
  });

  it('`queues pause` stops a queue in all workers until `queues resume`', async () => {
    expect((await cli('queues pause kb')).out).to.include('kb: paused');
    expect(await queue.isPaused()).to.equal(true);
    expect((await cli('queues list')).out).to.match(/^kb .* paused$/m);
    expect((await cli('queues resume kb')).out).to.equal('kb: running.\n');
    expect(await queue.isPaused()).to.equal(false);
    expect((await cli('queues pause')).error).to.include('use --all');
  });
});
