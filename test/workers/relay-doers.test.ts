import { expect } from 'chai';
import { ulid } from 'ulid';
import { emits } from '#shared/emits.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';
import { silentContents } from '../support/tales.ts';

/** Who did what is told of a project, as the log keeps it. */
const doersIn = async (project: string, event: string) =>
  (await changes(project)).filter((entry) => entry.event === event).map(({ by }) => by);

describe('Who did it', () => {
  it('stands beside every event of a call, and is shown in no payload', async () => {
    const { project, owner, guest, one, post } = await aConversation();
    await post(owner, { text: 'Here I am' });
    await api(owner).put(`${one}/close`, {});
    const [visitor, teammate] = await doersIn(project.id, 'message.create');
    expect(visitor).to.include({ type: 'visitor', id: guest.id });
    expect(teammate).to.include({ type: 'user', id: owner.id }).and.have.property('name');
    expect(await doersIn(project.id, 'request.close')).to.deep.equal([teammate]);
    const shown = await api(owner).get(`/v3/${project.id}/changes?after=0&limit=500`);
    expect(shown.body.changes).not.to.have.length(0);
    for (const change of shown.body.changes) expect(change).not.to.have.property('by');
  });

  it('is nobody where the system did it by itself', async () => {
    const id_project = (await aProject()).project.id;
    await silentContents(id_project, 1);
    await KbContent.updateMany({ id_project }, { $set: { name: 'New' } }, emits('kb.content.indexed'));
    expect(await doersIn(id_project, 'kb.content.indexed')).to.deep.equal([undefined]);
  });

  it('is missing in texts that were written before it was told, and they are relayed as ever', async () => {
    const id_project = (await aProject()).project.id;
    const [_id] = await silentContents(id_project, 1);
    const text = JSON.stringify([ulid(), null, ['kb.content.indexed'], ['kb.content.failed']]);
    await KbContent.updateOne({ _id, id_project }, { $set: { _events: text } });
    const told = (await changes(id_project)).filter(({ record }) => record === _id);
    expect(told.map(({ event, by }) => ({ event, by }))).to.deep.equal([
      { event: 'kb.content.indexed', by: undefined },
      { event: 'kb.content.failed', by: undefined },
    ]);
  });
});

describe('What a change of a conversation replaced', () => {
  it('is told with it, before and after', async () => {
    const { project, owner, one, read } = await aConversation();
    const { status } = await read();
    await api(owner).put(`${one}/close`, {});
    const told = (await changes(project.id)).find(({ event }) => event === 'request.updated');
    expect(told?.payload).to.include({ comment: 'STATUS_CHANGE' });
    expect(told?.payload.previous).to.include({ status, closed_by: null });
    expect(told?.payload.current).to.include({ status: 1000, closed_by: owner.id });
    expect(told?.payload.previous).not.to.have.property('participants');
  });
});
