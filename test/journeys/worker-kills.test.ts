/**
 * Kills and replaces a worker. All tests share the same processes, because each start takes a second. The trials with
 * one worker run at the same time, so that one kill interrupts the work of all of them. F19 is a failure
 * described in docs/failures.md.
 */
import { expect } from 'chai';
import { talkWhileWorkerIsKilled } from '../support/bot-conversation-trials.ts';
import { aKillableWorker, type KillableWorker, withSharedKill } from '../support/killable-worker.ts';
import { renameUnderRedisFlushes, renameUnderWorkerKills, withSecondWorker } from '../support/listener-trials.ts';
import { sendMailsWhileWorkerIsKilled } from '../support/mail-kill-trials.ts';
import { removeProjectUnderKills } from '../support/project-removal-trials.ts';
import { startTogether } from '../support/start-together.ts';
import { runTriggersWhileWorkerIsKilled } from '../support/trigger-kill-trials.ts';
import { deliverToManyReceivers, deliverWhileWorkerIsKilled } from '../support/webhook-trials.ts';

const TALKS: Parameters<typeof talkWhileWorkerIsKilled>[1]['talks'] = [
  { kind: 'internal', turns: 12 },
  { kind: 'external', turns: 12 },
];

const startTrials = (system: KillableWorker) =>
  startTogether({
    mails: () => sendMailsWhileWorkerIsKilled(system, { mails: 32, kills: 1 }),
    triggers: () => runTriggersWhileWorkerIsKilled(system, { conversations: 3, kills: 1 }),
    bots: () => talkWhileWorkerIsKilled(system, { talks: TALKS, kills: 1 }),
    webhooks: () => deliverWhileWorkerIsKilled(system, { conversations: 3, messages: 8, kills: 1 }),
  });

describe('Work in progress when a worker is killed', function underKills() {
  this.timeout(300_000);
  let system: KillableWorker;
  let trials: ReturnType<typeof startTrials>;

  before(async () => {
    system = await aKillableWorker({ smtpDelayMs: 400 });
    trials = startTrials(withSharedKill(system));
  });
  after(() => system.close());

  it('each email is sent once through a slow SMTP server, and a hanging server of one project delays no emails of other projects', () =>
    trials.mails);

  it('each action of a trigger takes effect exactly once, and none is lost', () => trials.triggers);

  it('an internal bot and an unreliable external bot reply to each message of a visitor once and in order', () =>
    trials.bots);

  it('every event reaches the receiver of its webhooks at least once, with the same id in every attempt, and in order', () =>
    trials.webhooks);

  it('webhook receivers that hang or return 500 do not delay other receivers of their project, and get only a few attempts, all for the first event', () =>
    deliverToManyReceivers({ healthy: 6, hanging: 2, failing: 2, messages: 3 }));

  it("the removal of a project deletes all its records and none of another project's", async () => {
    expect(await removeProjectUnderKills(system, { kills: 1, perCollection: 20 })).to.equal(1);
  });

  describe('with a second worker', () => {
    let listeners: Awaited<ReturnType<typeof withSecondWorker>>;

    before(async () => {
      listeners = await withSecondWorker(system, { maxGapMs: 800 });
    });

    it('F19: each event takes effect exactly once, and periodic jobs run again within 10 s, when Redis loses all data', async () => {
      await renameUnderRedisFlushes(listeners, 1);
    });

    it('each event takes effect exactly once when workers are killed at random moments', async () => {
      await renameUnderWorkerKills(listeners, 1);
    });
  });
});
