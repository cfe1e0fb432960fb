/** Secrets of bots and subscriptions: an admin replaces one that came into wrong hands. */
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Bot } from '#shared/models/bot.ts';
import { sign } from '#shared/tokens.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { bearing } from '../support/tokens.ts';
import { until } from '../support/until.ts';

/** A program of the project, and a caller with a token that it signed by itself. */
const aProgram = async (kind: 'bots' | 'subscriptions') => {
  const { project, admin, agent } = await aProject();
  const root = `/v3/${project.id}/${kind}`;
  const body = kind === 'bots' ? { name: 'Robbie' } : { event: 'request.create', target: 'https://hooks.example.com' };
  const { _id, secret } = (await api(admin).post(root, body)).body;
  const signedBy = (key: string): Caller => {
    const terms = { sub: kind.slice(0, -1), ttl: config.TOKEN_TTL, signer: { kind, id: _id }, secret: key };
    return bearing(sign({ _id }, terms), _id);
  };
  const statusOf = async (caller: Caller) => (await api(caller).get(`/v3/${project.id}/requests`)).status;
  return { project, admin, agent, root, _id, secret, signedBy, statusOf, renew: `${root}/${_id}/secret` };
};

describe('Renewing a secret', () => {
  for (const kind of ['bots', 'subscriptions'] as const) {
    it(`of ${kind} answers another secret and ends the old one`, async () => {
      const { admin, secret, signedBy, statusOf, renew } = await aProgram(kind);
      const old = signedBy(secret);
      expect(await statusOf(old)).to.equal(200);
      const { status, body } = await api(admin).put(renew);
      expect(status).to.equal(200);
      expect(Object.keys(body)).to.deep.equal(['secret']);
      expect(body.secret)
        .to.match(/^[0-9a-f-]{36}$/)
        .and.not.equal(secret);
      await until(async () => (await statusOf(old)) === 401);
      expect(await statusOf(signedBy(secret))).to.equal(401);
      expect(await statusOf(signedBy(body.secret))).to.equal(200);
    });

    it(`of ${kind} is for admins of their project`, async () => {
      const { admin, agent, root, renew, secret, signedBy, statusOf } = await aProgram(kind);
      const stranger = (await aProject()).admin;
      for (const caller of [agent, stranger, signedBy(secret)])
        expect((await api(caller).put(renew)).status).to.equal(403);
      expect((await api(admin).put(`${root}/${'0'.repeat(24)}/secret`)).status).to.equal(404);
      expect(await statusOf(signedBy(secret))).to.equal(200);
    });
  }

  it('of a bot marks the tokens that were issued for it as revoked', async () => {
    const { admin, root, _id, renew } = await aProgram('bots');
    await api(admin).get(`${root}/${_id}/jwt`);
    await api(admin).put(renew);
    const { history } = (await api(admin).get('/v3/jwt/history')).body;
    expect(
      history.map(({ id_user, revokedAt }: Record<string, string>) => [id_user, Boolean(revokedAt)]),
    ).to.deep.equal([[_id, true]]);
  });

  it('of a bot in the trash is refused (404)', async () => {
    const { project, admin, _id, renew } = await aProgram('bots');
    await Bot.updateOne({ id_project: project.id, _id }, { $set: { trashed: true } });
    expect((await api(admin).put(renew)).status).to.equal(404);
  });
});
