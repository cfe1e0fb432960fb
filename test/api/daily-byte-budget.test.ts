/** The bytes that a project may add per day as messages, custom events and entries of the changes log. */
import { expect } from 'chai';
import { api, type Caller, call } from '../support/api.ts';
import { type ApiProcess, theLimitedApi } from '../support/api-process.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { anInstanceAdmin } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('Daily byte budget of a project', () => {
  let small: ApiProcess;

  before(async () => {
    small = await theLimitedApi();
  });

  type Method = 'GET' | 'POST' | 'PUT';
  const callAs = ({ authorization }: Caller, to: `${Method} ${string}`, body?: object) => {
    const [method, path] = to.split(' ') as [Method, string];
    return call(method, small.url + path, { body, headers: { authorization } });
  };

  it('messages, imports and custom events are refused with 429 when the daily byte budget is used up, while conversations can still be read and closed', async () => {
    const { guest, owner, agent, one, project } = await aConversation();
    const other = await aConversation();
    const postLongMessage = (caller: Caller, to: string) =>
      callAs(caller, `POST ${to}/messages`, { text: 'x'.repeat(10_000) });
    let postedCount = 0;
    for (let last = 200; last === 200 && postedCount < 20; postedCount++)
      last = (await postLongMessage(guest, one)).status;
    expect(postedCount).to.be.within(2, 7);
    const refused = await postLongMessage(agent, one);
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include({ code: 'BYTE_BUDGET_EXHAUSTED' });
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 86_400);
    const multi = await callAs(agent, `POST ${one}/messages/multi`, [{ text: 'x'.repeat(10_000) }]);
    const attributes = { large: 'x'.repeat(10_000) };
    const event = { name: 'event.emit.test', attributes };
    const fired = await callAs(guest, `POST /v3/${project.id}/events`, event);
    expect([multi.status, fired.status]).to.deep.equal([429, 429]);
    expect((await postLongMessage(other.guest, other.one)).status).to.equal(200);
    expect((await callAs(owner, `GET ${one}/messages`)).body).to.have.length(postedCount);
    expect((await callAs(owner, `PUT ${one}/close`, {})).body).to.include({ status: 1000 });
    const { text } = await callAs(await anInstanceAdmin(), 'GET /metrics');
    const figure = Number(new RegExp(`^project_bytes_today\\{project="${project.id}"\\} (\\S+)`, 'm').exec(text)?.[1]);
    expect(figure).to.be.greaterThan(40_000);
    expect(text).to.match(/^project_bytes_rejections [1-9]/m);
  });

  it('a repeated message does not count towards the daily byte budget, and is answered when the budget is used up', async () => {
    const { guest, one } = await aConversation();
    const post = (client_message_id: string) =>
      callAs(guest, `POST ${one}/messages`, { text: 'x'.repeat(10_000), client_message_id });
    const { body } = await post('first');
    for (let count = 0; count < 10; count++) expect((await post('first')).status).to.equal(200);
    expect((await post('second')).status).to.equal(200);
    for (let count = 0, last = 200; last === 200 && count < 20; count++) last = (await post(`more-${count}`)).status;
    expect((await post('new')).status).to.equal(429);
    const repeated = await post('first');
    expect([repeated.status, repeated.body._id]).to.deep.equal([200, body._id]);
  });

  it('entries of the changes log count towards the daily byte budget of their project', async () => {
    const { owner, guest, one, project } = await aConversation();
    for (const number of [1, 2, 3])
      expect((await api(owner).patch(`${one}/attributes`, { large: `${number}${'x'.repeat(9000)}` })).status).to.equal(
        200,
      );
    await relayedChanges(project.id);
    await waitUntil(async () => (await callAs(guest, `POST ${one}/messages`, { text: 'Hello?' })).status === 429);
    expect((await api(guest).post(`${one}/messages`, { text: 'Hello?' })).status).to.equal(200);
  });
});
