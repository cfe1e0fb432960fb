/** Removal of a conversation with more messages than one transaction deletes. */
import { expect } from 'chai';
import { removeMessages } from '#shared/domain/conversations/lifecycle/delete.ts';
import { Message } from '#shared/models/message.ts';
import { MessageRemoval } from '#shared/models/message-removal.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { runJobs } from '../support/run-jobs.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');

describe('Removal of a conversation with thousands of messages', () => {
  it('removing a conversation hides its messages immediately, deletes them in batches, and keeps the messages of a new conversation with the same id', async () => {
    const { owner, agent, guest, one, post, project, request_id, newEvents, messages } = await aConversation();
    const all = times(2100, (index) => ({ text: `${index}`, attributes: { clienttimestamp: JANUARY + index } }));
    expect((await api(agent).post(`${one}/messages/multi`, all)).status).to.equal(200);
    const countStored = () => Message.countDocuments({ id_project: project.id, recipient: request_id });
    await newEvents();
    expect((await api(owner).delete(one)).status).to.equal(200);
    expect(await countStored()).to.equal(2101);
    const ofProject = async () => (await api(owner).get(`/v3/${project.id}/messages?limit=50`)).body;
    expect(await messages()).to.deep.equal([]);
    expect(await ofProject()).to.deep.equal([]);
    expect(await newEvents()).to.deep.equal(['request.delete']);
    expect((await post(guest, { text: 'Anew' })).status).to.equal(200);
    for (const caller of [owner, guest])
      for (const query of ['', '?limit=5']) {
        const { body, headers } = await api(caller).get(`${one}/messages${query}`);
        expect(body.map(({ text }: { text: string }) => text)).to.deep.equal(['Anew']);
        expect(headers).to.not.have.property('x-next-cursor');
      }
    const commands = (await commandsDuring(async () => {
      await enqueue('maintenance.sweep-removals', {});
      await runJobs();
    })) as { delete?: string }[];
    expect(commands.filter((command) => command.delete === 'messages')).to.have.length(2);
    expect(await countStored()).to.equal(1);
    expect(await messages()).to.have.length(1);
    expect(await ofProject()).to.have.length(1);
  });

  it('a removal job that continues after another job has completed the same removal deletes no message of a new conversation with the same id', async () => {
    const { owner, agent, guest, one, post, project, messages } = await aConversation();
    const old = (text: string) => ({ text, attributes: { clienttimestamp: JANUARY } });
    expect(
      (
        await api(agent).post(
          `${one}/messages/multi`,
          times(1100, (index) => old(`${index}`)),
        )
      ).status,
    ).to.equal(200);
    expect((await api(owner).delete(one)).status).to.equal(200);
    const removal = await MessageRemoval.findOne({ id_project: project.id });
    await removeMessages(project.id, String(removal?._id));
    await post(guest, { text: 'First' });
    await api(agent).post(`${one}/messages/multi`, [old('Imported')]);
    const find = MessageRemoval.findOne;
    MessageRemoval.findOne = (() => ({ lean: async () => removal?.toObject() })) as unknown as typeof find;
    await removeMessages(project.id, String(removal?._id)).finally(() => {
      MessageRemoval.findOne = find;
    });
    expect((await messages()).map(({ text }: { text: string }) => text)).to.have.members(['First', 'Imported']);
  });

  it('a new conversation with the id of a removed one does not show messages of the removed one, even if only a few of them were public', async () => {
    // A reader that finds only a few messages does not look up which messages are hidden by a removal.
    const { owner, agent, guest, one, post, project, request_id } = await aConversation({ text: 'Old' });
    const hidden = times(1100, (index) => ({
      text: `${index}`,
      attributes: { clienttimestamp: JANUARY + index, subtype: 'private' },
    }));
    expect((await api(agent).post(`${one}/messages/multi`, hidden)).status).to.equal(200);
    expect((await api(owner).delete(one)).status).to.equal(200);
    const countStored = () => Message.countDocuments({ id_project: project.id, recipient: request_id });
    expect(await countStored()).to.equal(1100);
    expect((await post(guest, { text: 'Anew' })).status).to.equal(200);
    for (const caller of [owner, guest]) {
      const { body } = await api(caller).get(`${one}/messages`);
      expect(body.map(({ text }: { text: string }) => text)).to.deep.equal(['Anew']);
    }
    await enqueue('maintenance.sweep-removals', {});
    await runJobs();
    expect(await countStored()).to.equal(1);
  });

  it('the transcript of a new conversation with the id of a removed one contains no message of the removed one', async () => {
    const { owner, agent, guest, one, post } = await aConversation();
    const old = times(1100, (index) => ({ text: `old ${index}`, attributes: { clienttimestamp: JANUARY + index } }));
    expect((await api(agent).post(`${one}/messages/multi`, old)).status).to.equal(200);
    expect((await api(owner).delete(one)).status).to.equal(200);
    expect((await post(guest, { text: 'Anew' })).status).to.equal(200);
    const { body: closed } = await api(guest).put(`${one}/closeg`, {});
    const { body: read } = await api(owner).get(one);
    for (const { transcript } of [closed, read])
      expect(transcript)
        .to.match(/: Anew$/m)
        .and.not.include(': old ');
  });

  it('messages of a new conversation with the id of a removed one are stored even if they have the `client_message_id` of a removed message', async () => {
    const { owner, agent, guest, one, post, messages } = await aConversation();
    const importOf = (prefix: string, count: number) =>
      times(count, (index) => ({
        ...{ text: `${prefix} ${index}`, client_message_id: `import-${index}` },
        attributes: { clienttimestamp: JANUARY + index },
      }));
    const importAll = async (prefix: string, count: number) =>
      expect((await api(agent).post(`${one}/messages/multi`, importOf(prefix, count))).status).to.equal(200);
    const removeConversation = async () => expect((await api(owner).delete(one)).status).to.equal(200);
    const texts = async () => (await messages()).map(({ text }: { text: string }) => text);
    await importAll('Old', 1100);
    await removeConversation();
    const { status, body } = await post(guest, { text: 'Anew', client_message_id: 'import-7' });
    expect([status, body.text]).to.deep.equal([200, 'Anew']);
    expect(await texts()).to.deep.equal(['Anew']);
    await importAll('Old', 1100);
    await removeConversation();
    expect((await post(guest, { text: 'Anew' })).status).to.equal(200);
    await importAll('New', 2);
    await enqueue('maintenance.sweep-removals', {});
    await runJobs();
    expect(await texts()).to.deep.equal(['New 0', 'New 1', 'Anew']);
  });
});
