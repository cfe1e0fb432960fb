import { Parser } from '@asyncapi/parser';
import { expect } from 'chai';
import { events, isInstanceEvent } from '#shared/events.ts';
import { api } from '../support/api.ts';
import { type AsyncapiChecker, theAsyncapiChecker } from '../support/asyncapi.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';

describe('AsyncAPI document', () => {
  let checker: AsyncapiChecker;

  before(async () => {
    checker = await theAsyncapiChecker();
  });

  it('the AsyncAPI document is valid', async () => {
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(checker.document));
    expect(diagnostics.map(({ message, path }) => `${path.join('.')}: ${message}`)).to.deep.equal([]);
    expect(document?.version()).to.match(/^3\./);
  });

  it('the AsyncAPI document has a message for every event of a project, for `gap` (missing changes), and for every frame of a socket', () => {
    const { channels, components } = checker.document;
    const namesOf = (channel: string): string[] =>
      Object.keys(channels[channel].messages).map((key) => components.messages[key].name);
    expect(namesOf('stream')).to.have.members([...Object.keys(events).filter((name) => !isInstanceEvent(name)), 'gap']);
    expect(new Set(namesOf('socket'))).to.deep.equal(
      new Set(['subscribe', 'unsubscribe', 'heartbeat', 'me', 'publish', 'gap', 'error']),
    );
  });

  it('the AsyncAPI document describes the changes that clients receive', async () => {
    const { project, owner, admin, guest } = await aProject();
    await api(guest).post(`/v3/${project.id}/events`, { name: 'event.emit.seen', attributes: { a: 1 } });
    await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Shop' });
    await api(guest).post(`/v3/${project.id}/requests/support-group-${project.id}-x/messages`, { text: 'Hello' });
    const emitted = new Set((await relayedChanges(project.id)).map(({ event }) => event));
    expect([...emitted]).to.include.members([
      'project.create',
      'event.emit.seen',
      'kb.namespace.create',
      'message.create',
    ]);
    const all = (await api(owner).get(`/v3/${project.id}/changes?after=0`)).body.changes;
    const own = (await api(guest).get(`/v3/${project.id}/changes?after=0`)).body.changes;
    expect(own).to.not.deep.equal([]);
    for (const change of [...all, ...own]) checker.checkChange(change);
  });
});
