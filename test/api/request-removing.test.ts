/** Removing a conversation with more messages than one transaction deletes. */
import { expect } from 'chai';
import { Message } from '#shared/models/message.ts';
import { enqueue } from '#shared/queue.ts';
import { api } from '../support/api.ts';
import { commandsDuring } from '../support/commands.ts';
import { aConversation } from '../support/conversations.ts';
import { runJobs } from '../support/run-jobs.ts';
import { times } from '../support/stage.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');

describe('Removing a conversation of thousands of messages', () => {
  it('hides all of them at once and deletes them in batches, and a new conversation of that id keeps its own', async () => {
    const world = await aConversation();
    const { owner, agent, guest, one, post, project, request_id, told, messages } = world;
    const all = times(3200, (at) => ({ text: `${at}`, attributes: { clienttimestamp: JANUARY + at } }));
    expect((await api(agent).post(`${one}/messages/multi`, all)).status).to.equal(200);
    const stored = () => Message.countDocuments({ id_project: project.id, recipient: request_id });
    await told();
    expect((await api(owner).delete(one)).status).to.equal(200);
    expect(await stored()).to.equal(3201);
    const ofProject = async () => (await api(owner).get(`/v3/${project.id}/messages?limit=50`)).body;
    expect(await messages()).to.deep.equal([]);
    expect(await ofProject()).to.deep.equal([]);
    expect(await told()).to.deep.equal(['request.delete']);
    expect((await post(guest, { text: 'Anew' })).status).to.equal(200);
    for (const by of [owner, guest])
      for (const query of ['', '?limit=5']) {
        const { body, headers } = await api(by).get(`${one}/messages${query}`);
        expect(body.map(({ text }: { text: string }) => text)).to.deep.equal(['Anew']);
        expect(headers).to.not.have.property('x-next-cursor');
      }
    const commands = (await commandsDuring(async () => {
      await enqueue('upkeep.sweep-removals', {});
      await runJobs();
    })) as { delete?: string }[];
    expect(commands.filter((command) => command.delete === 'messages')).to.have.length(3);
    expect(await stored()).to.equal(1);
    expect(await messages()).to.have.length(1);
    expect(await ofProject()).to.have.length(1);
  });
});
