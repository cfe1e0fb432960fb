/** The endpoints of triggers. */
import { expect } from 'chai';
import { defaultBuiltInTriggers } from '#shared/triggers/built-in-triggers.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';

const A_TRIGGER = {
  name: 'Tag new chats',
  description: 'Adds a tag',
  trigger: { key: 'request.create', name: 'New conversation' },
  conditions: { all: [{ key: 'c', fact: 'json', path: 'channel.name', operator: 'equal', value: 'chat21' }] },
  actions: [{ key: 'request.tags.add', parameters: { tag: 'chat' } }],
};

const aTriggerPath = async () => {
  const { project, admin } = await aProject();
  return { project, path: `/v3/${project.id}/modules/triggers`, call: api(admin), admin };
};

describe('Endpoints of triggers', () => {
  it('a trigger is created enabled, listed after the built-in triggers, changed and deleted', async () => {
    const { project, path, call, admin } = await aTriggerPath();
    const created = await call.post(path, { ...A_TRIGGER, enabled: false });
    expect(created.status).to.equal(200);
    expect(created.body).to.deep.include({ ...A_TRIGGER, conditions: { ...A_TRIGGER.conditions, any: [] } });
    expect(created.body).to.deep.include({ enabled: true, id_project: project.id, createdBy: admin.id });
    const own = `${path}/${created.body._id}`;
    expect((await call.get(own)).body).to.deep.equal(created.body);
    const defaults = defaultBuiltInTriggers().map(({ name }) => name);
    const names = (await call.get(path)).body.map(({ name }: { name: string }) => name);
    expect(names).to.deep.equal([...defaults, A_TRIGGER.name]);
    const changed = await call.put(own, { name: 'Renamed', enabled: 'false', actions: null });
    const { updatedAt, __v } = changed.body;
    const expected = { ...created.body, name: 'Renamed', enabled: false, updatedBy: admin.id, updatedAt, __v };
    expect(changed.body).to.deep.equal(expected);
    expect((await call.delete(own)).body).to.deep.equal(changed.body);
    for (const method of ['get', 'delete', 'put'] as const) expect((await call[method](own)).status).to.equal(404);
    const events = (await relayedChanges(project.id))
      .map(({ event }) => event)
      .filter((event) => event.startsWith('trigger.'));
    expect(events).to.deep.equal(['trigger.create', 'trigger.update', 'trigger.delete']);
  });

  it('PUT :code/reset restores a changed built-in trigger, and adds one that was deleted or that projects lack by default', async () => {
    const { path, call } = await aTriggerPath();
    const code = 's_online_welcome_01';
    const builtIn = (await call.get(path)).body.find((each: { code?: string }) => each.code === code);
    await call.put(`${path}/${builtIn._id}`, { actions: [], enabled: false });
    const restored = await call.put(`${path}/${code}/reset`);
    expect(restored.body).to.deep.include({
      _id: builtIn._id,
      actions: builtIn.actions,
      enabled: true,
      type: 'internal',
    });
    await call.delete(`${path}/${builtIn._id}`);
    expect((await call.put(`${path}/${code}/reset`)).body).to.deep.include({ code, actions: builtIn.actions });
    expect((await call.put(`${path}/s_new_login_01/reset`)).body).to.include({ code: 's_new_login_01' });
    expect((await call.put(`${path}/s_unknown_01/reset`)).status).to.equal(404);
  });

  const FAULTS: [title: string, change: object, field: string][] = [
    ['no name', { name: undefined }, 'name'],
    ['an unknown event', { trigger: { key: 'request.close', name: 'x' } }, 'trigger.key'],
    [
      'an unknown operator',
      { conditions: { any: [{ key: 'c', fact: 'json', operator: '$where', value: 1 }] } },
      'conditions.any.0.operator',
    ],
    [
      'a condition whose `fact` is not `json`',
      { conditions: { all: [{ key: 'c', fact: 'db', operator: 'equal', value: 1 }] } },
      'conditions.all.0.fact',
    ],
    [
      'an object as a value',
      { conditions: { all: [{ key: 'c', fact: 'json', operator: 'equal', value: { $ne: 1 } }] } },
      'conditions.all.0.value',
    ],
    ['an unknown action', { actions: [{ key: 'shell.run' }] }, 'actions.0.key'],
    ['a missing parameter', { actions: [{ key: 'message.send', parameters: {} }] }, 'actions.0.parameters.text'],
    [
      'an invalid status',
      { actions: [{ key: 'request.status.update', parameters: { status: 7 } }] },
      'actions.0.parameters.status',
    ],
    [
      'the URL of another server',
      { actions: [{ key: 'bot.calling', parameters: { botId: 'b', url: 'http://x' } }] },
      'actions.0.parameters.url',
    ],
    [
      'a key that is a MongoDB operator',
      { actions: [{ key: 'request.close', parameters: { $set: 1 } }] },
      'actions.0.parameters',
    ],
    ['too many actions', { actions: Array.from({ length: 21 }, () => ({ key: 'request.close' })) }, 'actions'],
  ];
  it('POST rejects invalid triggers with 422 and names the field', async () => {
    const { path, call } = await aTriggerPath();
    for (const [title, change, field] of FAULTS) {
      const { status, body } = await call.post(path, { ...A_TRIGGER, ...change });
      expect(status, title).to.equal(422);
      expect(
        body.errors.map((each: { path: string }) => each.path),
        title,
      ).to.deep.equal([field]);
    }
  });
});
