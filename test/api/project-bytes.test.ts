/** The bytes that a project may add on a day: messages, custom events and the changes log. */
import { expect } from 'chai';
import { api, type Caller, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { anOperator } from '../support/people.ts';
import { until } from '../support/until.ts';

describe('The bytes of a project on a day', () => {
  let small: Awaited<ReturnType<typeof anApiProcess>>;

  before(async () => {
    small = await anApiProcess({ PROJECT_BYTES_PER_DAY: '60000' });
  });
  after(() => small.stop());

  type Method = 'GET' | 'POST' | 'PUT';
  const as = ({ authorization }: Caller, to: `${Method} ${string}`, body?: object) => {
    const [method, path] = to.split(' ') as [Method, string];
    return call(method, small.url + path, { body, headers: { authorization } });
  };

  it('once spent answer messages, imports and custom events with 429 until the day ends; reading and closing go on', async () => {
    const { guest, owner, agent, one, project } = await aConversation();
    const other = await aConversation();
    const say = (by: Caller, to: string) => as(by, `POST ${to}/messages`, { text: 'x'.repeat(10_000) });
    let said = 0;
    for (let last = 200; last === 200 && said < 20; said++) last = (await say(guest, one)).status;
    expect(said).to.be.within(2, 7);
    const refused = await say(agent, one);
    expect(refused.status).to.equal(429);
    expect(refused.body).to.include({ code: 'BYTES_SPENT' });
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 86_400);
    const multi = await as(agent, `POST ${one}/messages/multi`, [{ text: 'x'.repeat(10_000) }]);
    const attributes = { large: 'x'.repeat(10_000) };
    const event = { name: 'event.emit.test', attributes };
    const fired = await as(guest, `POST /v3/${project.id}/events`, event);
    expect([multi.status, fired.status]).to.deep.equal([429, 429]);
    expect((await say(other.guest, other.one)).status).to.equal(200);
    expect((await as(owner, `GET ${one}/messages`)).body).to.have.length(said);
    expect((await as(owner, `PUT ${one}/close`, {})).body).to.include({ status: 1000 });
    const { text } = await as(await anOperator(), 'GET /metrics');
    const figure = Number(new RegExp(`^project_bytes_today\\{project="${project.id}"\\} (\\S+)`, 'm').exec(text)?.[1]);
    expect(figure).to.be.greaterThan(40_000);
    expect(text).to.match(/^project_bytes_refusals [1-9]/m);
  });

  it('are spent by entries of the changes log too, whoever wrote them', async () => {
    const { owner, guest, one, project } = await aConversation();
    for (const at of [1, 2, 3])
      expect((await api(owner).patch(`${one}/attributes`, { large: `${at}${'x'.repeat(9000)}` })).status).to.equal(200);
    await changes(project.id);
    await until(async () => (await as(guest, `POST ${one}/messages`, { text: 'Hello?' })).status === 429, 10);
    expect((await api(guest).post(`${one}/messages`, { text: 'Hello?' })).status).to.equal(200);
  });
});
