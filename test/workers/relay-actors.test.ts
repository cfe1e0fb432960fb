import { expect } from 'chai';
import { ulid } from 'ulid';
import { emits } from '#shared/events.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { storeContentsWithoutEvents } from '../support/event-expectations.ts';
import { aProject } from '../support/people.ts';

/** The actors of a project's events with this name, as stored in the changes log. */
const actorsOfEvent = async (project: string, event: string) =>
  (await relayedChanges(project)).filter((entry) => entry.event === event).map(({ actor }) => actor);

describe('Actors in the changes log', () => {
  it('the changes log stores the actor of every call, and GET /changes does not return it', async () => {
    const { project, owner, guest, one, post } = await aConversation();
    await post(owner, { text: 'Here I am' });
    await api(owner).put(`${one}/close`, {});
    const [visitor, teammate] = await actorsOfEvent(project.id, 'message.create');
    expect(visitor).to.include({ type: 'visitor', id: guest.id });
    expect(teammate).to.include({ type: 'user', id: owner.id }).and.have.property('name');
    expect(await actorsOfEvent(project.id, 'request.close')).to.deep.equal([teammate]);
    const response = await api(owner).get(`/v3/${project.id}/changes?after=0&limit=500`);
    expect(response.body.changes).not.to.have.length(0);
    for (const change of response.body.changes) expect(change).not.to.have.property('actor');
  });

  it('an event that the system caused has no actor', async () => {
    const id_project = (await aProject()).project.id;
    await storeContentsWithoutEvents(id_project, 1);
    await KbContent.updateMany({ id_project }, { $set: { name: 'New' } }, emits('kb.content.indexed'));
    expect(await actorsOfEvent(id_project, 'kb.content.indexed')).to.deep.equal([undefined]);
  });

  it('events that are stored without an actor are relayed', async () => {
    const id_project = (await aProject()).project.id;
    const [_id] = await storeContentsWithoutEvents(id_project, 1);
    const text = JSON.stringify([ulid(), null, ['kb.content.indexed'], ['kb.content.failed']]);
    await KbContent.updateOne({ _id, id_project }, { $set: { _events: text } });
    const events = (await relayedChanges(id_project)).filter(({ record }) => record === _id);
    expect(events.map(({ event, actor }) => ({ event, actor }))).to.deep.equal([
      { event: 'kb.content.indexed', actor: undefined },
      { event: 'kb.content.failed', actor: undefined },
    ]);
  });
});

describe('Events of changed conversations', () => {
  it('request.updated contains the previous and current values of the changed fields', async () => {
    const { project, owner, one, read } = await aConversation();
    const { status } = await read();
    await api(owner).put(`${one}/close`, {});
    const update = (await relayedChanges(project.id)).find(({ event }) => event === 'request.updated');
    expect(update?.payload).to.include({ comment: 'STATUS_CHANGE' });
    expect(update?.payload.previous).to.include({ status, closed_by: null });
    expect(update?.payload.current).to.include({ status: 1000, closed_by: owner.id });
    expect(update?.payload.previous).not.to.have.property('participants');
  });
});
