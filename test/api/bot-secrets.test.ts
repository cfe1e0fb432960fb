/** Secrets of bots and subscriptions: an admin can replace one that has leaked. */
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Bot } from '#shared/models/bot.ts';
import { signToken } from '#shared/security/tokens.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { withToken } from '../support/tokens.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A bot or subscription of a project. `callerWithSecret(key)` returns a caller whose token is signed with `key`. */
const aBotOrSubscription = async (kind: 'bots' | 'subscriptions') => {
  const { project, admin, agent } = await aProject();
  const root = `/v3/${project.id}/${kind}`;
  const body = kind === 'bots' ? { name: 'Robbie' } : { event: 'request.create', target: 'https://hooks.example.com' };
  const { _id, secret } = (await api(admin).post(root, body)).body;
  const callerWithSecret = (key: string): Caller => {
    const terms = {
      sub: kind.slice(0, -1),
      ttlSeconds: config.TOKEN_TTL_SECONDS,
      signer: { kind, id: _id },
      secret: key,
    };
    return withToken(signToken({ _id }, terms), _id);
  };
  const statusOf = async (caller: Caller) => (await api(caller).get(`/v3/${project.id}/requests`)).status;
  return { project, admin, agent, root, _id, secret, callerWithSecret, statusOf, renew: `${root}/${_id}/secret` };
};

describe('Secret renewal of bots and subscriptions', () => {
  for (const kind of ['bots', 'subscriptions'] as const) {
    it(`renewing the secret of a ${kind.slice(0, -1)} returns a new secret and revokes the old one`, async () => {
      const { admin, secret, callerWithSecret, statusOf, renew } = await aBotOrSubscription(kind);
      const old = callerWithSecret(secret);
      expect(await statusOf(old)).to.equal(200);
      const { status, body } = await api(admin).put(renew);
      expect(status).to.equal(200);
      expect(Object.keys(body)).to.include('secret');
      expect(body.secret)
        .to.match(/^[0-9a-f-]{36}$/)
        .and.not.equal(secret);
      await waitUntil(async () => (await statusOf(old)) === 401);
      expect(await statusOf(callerWithSecret(secret))).to.equal(401);
      expect(await statusOf(callerWithSecret(body.secret))).to.equal(200);
    });

    it(`renewing the secret of a ${kind.slice(0, -1)} requires an admin of the project`, async () => {
      const { admin, agent, root, renew, secret, callerWithSecret, statusOf } = await aBotOrSubscription(kind);
      const stranger = (await aProject()).admin;
      for (const caller of [agent, stranger, callerWithSecret(secret)])
        expect((await api(caller).put(renew)).status).to.equal(403);
      expect((await api(admin).put(`${root}/${'0'.repeat(24)}/secret`)).status).to.equal(404);
      expect(await statusOf(callerWithSecret(secret))).to.equal(200);
    });
  }

  it('renewing the secret of a bot marks the tokens that were issued to the bot as revoked', async () => {
    const { admin, root, _id, renew } = await aBotOrSubscription('bots');
    await api(admin).get(`${root}/${_id}/jwt`);
    await api(admin).put(renew);
    const { history } = (await api(admin).get('/v3/jwt/history')).body;
    expect(
      history.map(({ id_user, revokedAt }: Record<string, string>) => [id_user, Boolean(revokedAt)]),
    ).to.deep.equal([[_id, true]]);
  });

  it('renewing the secret of a trashed bot returns 404', async () => {
    const { project, admin, _id, renew } = await aBotOrSubscription('bots');
    await Bot.updateOne({ id_project: project.id, _id }, { $set: { trashed: true } });
    expect((await api(admin).put(renew)).status).to.equal(404);
  });
});
