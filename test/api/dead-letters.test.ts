/** Dead letters, and their replay by instance administrators. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { BOT_CALL_CONSUMER, findOverdue } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { writeDeadLetter, writeRelayDeadLetters } from '#shared/domain/events/dead-letters.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { DeferredEvent } from '#shared/models/deferred-event.ts';
import callBotsJob from '../../workers/bots/call.ts';
import { api } from '../support/api.ts';
import { aBot, aBotServer } from '../support/bots.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { anInstanceAdmin, aProject, type Person } from '../support/people.ts';
import { aTriggeredConversation } from '../support/triggers.ts';

const PATH = '/v3/dead-letters';

describe('Dead letters', () => {
  let instanceAdmin: Person;

  before(async () => {
    instanceAdmin = await anInstanceAdmin();
  });

  const replay = (dead_letter: string) => api(instanceAdmin).post(`${PATH}/replay`, { dead_letter });

  it("a replay repeats a trigger's bot call that has become a dead letter", async () => {
    const { url, calls, answers } = await aBotServer();
    answers.push({ status: 410 });
    const { project } = await aTriggeredConversation(async ({ project: { id } }) => [
      ['bot.calling', { botId: (await aBot(id, { type: 'external', url })).id, message: 'Look here' }],
    ]);
    const makeCalls = async () => {
      for (const due of await findOverdue())
        if (due.id_project === project.id) await callBotsJob(due, new AbortController().signal);
      return calls.map(({ body }) => body.payload.text);
    };
    expect(await makeCalls()).to.deep.equal(['Look here']);
    const { body: listed } = await api(instanceAdmin).get(PATH);
    const [letter] = listed.filter(({ id_project }: { id_project: string }) => id_project === project.id);
    expect(letter).to.include({ failedBy: BOT_CALL_CONSUMER, code: 'BOT_REJECTED_CALL' });
    expect((await replay(letter._id)).body).to.deep.equal({ success: true });
    expect(await makeCalls()).to.deep.equal(['Look here', 'Look here']);
    expect(calls[0]?.headers['webhook-id']).to.equal(calls[1]?.headers['webhook-id']);
    expect(await DeadLetter.exists({ id_project: project.id })).to.equal(null);
    expect((await replay(letter._id)).status).to.equal(404);
  });

  it('a replay of a dead letter lets its listener handle the event again', async () => {
    const { project } = await aProject();
    const [change] = await relayedChanges(project.id);
    const { _id: id, event = '', position = '' } = change ?? {};
    const ref = { id: String(id), id_project: project.id, event, record: project.id, position };
    await writeDeadLetter('events.request-assignment', ref, { attemptsMade: 8, error: 'Gone' });
    expect((await replay(`events.request-assignment ${id}`)).status).to.equal(200);
    const deferred = await DeferredEvent.find({ id_project: project.id }).lean();
    expect(deferred.map((each) => each._id)).to.deep.equal([`events.request-assignment ${id}`]);
    await DeferredEvent.deleteMany({ id_project: project.id });
  });

  it('the replay of a dead letter is rejected with 409 if the relay wrote it or its event is no longer in the log', async () => {
    const [position, id_project] = [randomUUID(), randomUUID()];
    await writeRelayDeadLetters([{ position, code: 'INVALID', message: 'No event' }]);
    const ref = { id: randomUUID(), id_project, event: 'lead.update', record: 'r', position };
    await writeDeadLetter('events.sync-lead', ref, { attemptsMade: 8, error: 'Gone' });
    for (const id of [`relay ${position}`, `events.sync-lead ${ref.id}`])
      expect((await replay(id)).body).to.include({ code: 'NOT_REPLAYABLE' });
    await DeadLetter.deleteMany({ position });
  });
});
