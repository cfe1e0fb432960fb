/** Bots and subscriptions of a project, and their secrets. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('Bots', () => {
  it('every bot has its own secret, which lists omit and admins can read', async () => {
    const { project, owner, admin, agent } = await aProject();
    const root = `/v3/${project.id}/bots`;
    const make = async (more: object = {}) => (await api(admin).post(root, { name: 'Bot', ...more })).body;
    const [one, other] = [await make(), await make({ type: 'external', url: 'https://bot.example.com/a' })];
    expect(one).to.include({ type: 'internal', trashed: false }).and.not.have.property('url');
    expect(one.secret)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(other.secret);
    const { secret, ...publicFields } = other;
    expect((await api(admin).get(`${root}/${other._id}`)).body).to.deep.equal(publicFields);
    expect((await api(admin).get(`${root}/${other._id}/secret`)).body).to.deep.equal({ secret });
    const lists = await Promise.all([owner, agent].map((caller) => api(caller).get(`/v3/${project.id}/faq_kb`)));
    for (const { text } of lists) expect(text).to.not.include(secret);
    expect(lists[0]?.body[0]).to.deep.equal(publicFields);
    expect(lists[1]?.body, 'agents see only bots with `agents_available`').to.deep.equal([]);
  });

  it('the token of a bot is revoked when the bot is deleted', async () => {
    const { project, admin } = await aProject();
    const { _id } = (await api(admin).post(`/v3/${project.id}/bots`, { name: 'Bot' })).body;
    const { jwt } = (await api(admin).get(`/v3/${project.id}/bots/${_id}/jwt`)).body;
    const bot = { id: _id, authorization: `JWT ${jwt}` };
    const status = async () => (await api(bot).get(`/v3/${project.id}/bots/${_id}`)).status;
    expect(await status()).to.equal(200);
    await api(admin).delete(`/v3/${project.id}/bots/${_id}`);
    await waitUntil(async () => (await status()) === 401);
    expect((await api(admin).get(`/v3/${project.id}/bots/${_id}/jwt`)).status).to.equal(404);
  });
});

describe('Subscriptions', () => {
  it('a subscription is created once per event and target, and only its creation returns the secret', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/subscriptions`;
    const fields = { event: 'request.create', target: 'https://hooks.example.com/a' };
    const [one, same] = await Promise.all([1, 2].map(() => api(admin).post(root, fields)));
    expect(one?.body).to.include(fields).and.have.property('secret');
    expect(same?.body).to.deep.equal(one?.body);
    expect(one?.headers['x-hook-secret']).to.equal(one?.body.secret);
    const replayed = await api(admin).post(root, fields, { 'idempotency-key': 'again' });
    expect(replayed.headers['x-hook-secret']).to.equal(one?.body.secret);
    await api(admin).post(root, { ...fields, event: 'request.close' });
    const { body, text } = await api(admin).get(root);
    expect(body).to.have.lengthOf(2);
    expect(text).to.not.include(one?.body.secret);
    const { secret: _, ...publicFields } = one?.body ?? {};
    expect((await api(admin).get(`${root}/${publicFields._id}`)).body).to.deep.equal(publicFields);
    for (const wrong of [{ target: 'ftp://a.example' }, { event: '$ne' }])
      expect((await api(admin).post(root, { ...fields, ...wrong })).status).to.equal(422);
  });
});
