/** Forged tokens are rejected on routes of every kind. A6 is an attack described in docs/attacks.md. */
import { generateKeyPairSync, sign as signBy } from 'node:crypto';
import { expect } from 'chai';
import { request } from 'undici';
import { Bot } from '#shared/models/bot.ts';
import { anApi, api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { aProjectKey, customClaims, forgeToken, withToken } from '../support/tokens.ts';

type TokenFixture = Awaited<ReturnType<typeof aTokenFixture>>;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const aTokenFixture = async () => {
  const [{ project, owner, guest }, other] = await Promise.all([aProject(), aProject()]);
  const [secret, foreign] = await Promise.all([aProjectKey(project.id), aProjectKey(other.project.id)]);
  const [bot, neighbour] = await Bot.create([
    { id_project: project.id, name: 'Bot', createdBy: owner.id, secret: 'secret of the bot' },
    { id_project: project.id, name: 'Other', createdBy: owner.id, secret: 'secret of the other' },
  ]);
  const claims = customClaims(project.id);
  return {
    project,
    owner,
    guest,
    other,
    secret,
    foreign,
    bot: String(bot?._id),
    neighbour: String(neighbour?._id),
    claims,
  };
};

const PLATFORM_AUDIENCE = 'https://tiledesk.com';
const signWithRsa = (payload: unknown, header: object): string => {
  const text = forgeToken(payload, { header: { alg: 'RS256', ...header }, signature: '' }).slice(0, -1);
  return `${text}.${signBy('sha256', Buffer.from(text), rsa.privateKey).toString('base64url')}`;
};
const jwk = rsa.publicKey.export({ format: 'jwk' });
const partsOf = (authorization: string): [string, string, string] =>
  authorization.replace('JWT ', '').split('.') as [string, string, string];
const reencode = (payload: string, more: object): string =>
  Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...more })).toString(
    'base64url',
  );

/** The attacks by name. Each function returns the forged token. */
const attacks: Record<string, (fixture: TokenFixture) => string> = {
  'alg none, unsigned': ({ claims }) => forgeToken(claims, { header: { alg: 'none' }, signature: '' }),
  'alg None': ({ claims }) => forgeToken(claims, { header: { alg: 'None' }, signature: '' }),
  'alg nOnE': ({ claims }) => forgeToken(claims, { header: { alg: 'nOnE' }, signature: '' }),
  'alg none, signed': ({ claims, secret }) => forgeToken(claims, { header: { alg: 'none' }, secret }),
  'alg none, for an account': ({ owner }) =>
    forgeToken(
      { _id: owner.id, sub: 'user', aud: PLATFORM_AUDIENCE, iss: PLATFORM_AUDIENCE, jti: '1', exp: 9_999_999_999 },
      { header: { alg: 'none' }, signature: '' },
    ),
  'no alg': ({ claims, secret }) => forgeToken(claims, { header: { alg: undefined }, secret }),
  'an alg that is not a string': ({ claims, secret }) => forgeToken(claims, { header: { alg: 256 }, secret }),
  'HS384 with the correct secret': ({ claims, secret }) =>
    forgeToken(claims, { header: { alg: 'HS384' }, secret, hash: 'sha384' }),
  'HS512 with the correct secret': ({ claims, secret }) =>
    forgeToken(claims, { header: { alg: 'HS512' }, secret, hash: 'sha512' }),
  "RS256 with the attacker's key": ({ claims }) => signWithRsa(claims, {}),
  "RS256 with the attacker's key in jwk": ({ claims }) => signWithRsa(claims, { jwk }),
  "RS256 with the attacker's key at the URL in jku": ({ claims }) =>
    signWithRsa(claims, { jku: 'http://127.0.0.1:9/keys', kid: '1' }),
  "RS256 with the attacker's certificate at the URL in x5u": ({ claims }) =>
    signWithRsa(claims, { x5u: 'http://127.0.0.1:9/cert' }),
  'HS256 with a public key as the secret': ({ claims }) => forgeToken(claims, { secret: publicPem, header: { jwk } }),
  "HS256 with the attacker's secret in jwk": ({ claims }) =>
    forgeToken(claims, {
      secret: 'mine',
      header: { jwk: { kty: 'oct', k: Buffer.from('mine').toString('base64url') } },
    }),
  'kid with the path of an empty file': ({ claims }) =>
    forgeToken(claims, { secret: '', header: { kid: '../../../../dev/null' } }),
  'kid with an SQL injection': ({ claims }) =>
    forgeToken(claims, { secret: 'x', header: { kid: "' UNION SELECT 'x" } }),
  'an empty secret': ({ claims }) => forgeToken(claims, { secret: '' }),
  "another project's secret": ({ claims, foreign }) => forgeToken(claims, { secret: foreign }),
  "the audience of another project, signed with this project's key": ({ claims, secret, other }) =>
    forgeToken({ ...claims, aud: `${PLATFORM_AUDIENCE}/projects/${other.project.id}` }, { secret }),
  "the audience of the platform, signed with a project's key": ({ claims, secret }) =>
    forgeToken({ ...claims, aud: PLATFORM_AUDIENCE }, { secret }),
  'no audience': ({ claims, secret }) => forgeToken({ ...claims, aud: undefined }, { secret }),
  'several audiences': ({ claims, secret }) =>
    forgeToken({ ...claims, aud: [claims.aud, PLATFORM_AUDIENCE] }, { secret }),
  'an audience that is not a string': ({ claims, secret }) => forgeToken({ ...claims, aud: { $ne: null } }, { secret }),
  'an audience without an id': ({ claims, secret }) =>
    forgeToken({ ...claims, aud: `${PLATFORM_AUDIENCE}/projects/` }, { secret }),
  'an audience that is not a URL': ({ claims, secret }) => forgeToken({ ...claims, aud: 'projects' }, { secret }),
  'the audience of a bot, signed with the key of its project': ({ claims, secret, bot }) =>
    forgeToken({ ...claims, _id: bot, sub: 'bot', aud: `${PLATFORM_AUDIENCE}/bots/${bot}` }, { secret }),
  expired: ({ claims, secret }) => forgeToken({ ...claims, exp: 1_000_000_000 }, { secret }),
  'not yet valid': ({ claims, secret }) => forgeToken({ ...claims, nbf: 9_999_999_999 }, { secret }),
  'an expiry that is not a number': ({ claims, secret }) => forgeToken({ ...claims, exp: 'never' }, { secret }),
  'a changed payload': ({ owner, guest }) => {
    const [header, payload, signature] = partsOf(guest.authorization);
    return `${header}.${reencode(payload, { _id: owner.id, sub: 'user' })}.${signature}`;
  },
  'a changed header': ({ owner }) => {
    const [header, payload, signature] = partsOf(owner.authorization);
    return `${reencode(header, { kid: '1' })}.${payload}.${signature}`;
  },
  'a truncated signature': ({ owner }) => partsOf(owner.authorization).join('.').slice(0, -4),
  'no signature': ({ owner }) => partsOf(owner.authorization).slice(0, 2).join('.'),
  'an empty signature': ({ owner }) => `${partsOf(owner.authorization).slice(0, 2).join('.')}.`,
  'the signature of another token': ({ owner, guest }) =>
    [...partsOf(owner.authorization).slice(0, 2), partsOf(guest.authorization)[2]].join('.'),
  'four parts': ({ owner }) => `${partsOf(owner.authorization).join('.')}.x`,
  'a payload that is not JSON': ({ secret }) => forgeToken('{"_id":', { secret }),
  'a payload that is null': ({ secret }) => forgeToken('null', { secret }),
  'a payload that is a list': ({ secret }) => forgeToken([], { secret }),
  'a string that is not a token': () => 'x',
  "an account's id, signed with a project's key": ({ claims, owner, secret }) =>
    forgeToken({ ...claims, _id: owner.id, sub: 'user' }, { secret }),
  "an account's id without sub, signed with a project's key": ({ claims, owner, secret }) =>
    forgeToken({ ...claims, _id: owner.id, sub: undefined }, { secret }),
  "an account's id as the id of an external user": ({ claims, owner, secret }) =>
    forgeToken({ ...claims, _id: owner.id }, { secret }),
  "a guest's id, signed with a project's key": ({ claims, guest, secret }) =>
    forgeToken({ ...claims, _id: guest.id, sub: 'guest' }, { secret }),
  "the id `system`, signed with a project's key": ({ claims, secret }) =>
    forgeToken({ ...claims, _id: 'system' }, { secret }),
  "a bot's id, signed with a project's key": ({ claims, secret, bot }) =>
    forgeToken({ ...claims, _id: `bot_${bot}` }, { secret }),
  "no id, signed with a project's key": ({ claims, secret }) => forgeToken({ ...claims, _id: undefined }, { secret }),
  'a MongoDB operator as the id': ({ claims, secret }) => forgeToken({ ...claims, _id: { $ne: null } }, { secret }),
  'an empty id': ({ claims, secret }) => forgeToken({ ...claims, _id: '' }, { secret }),
  "another bot's id, signed with a bot's secret": ({ bot, neighbour }) =>
    forgeToken(
      { _id: neighbour, sub: 'bot', aud: `${PLATFORM_AUDIENCE}/bots/${bot}` },
      { secret: 'secret of the bot' },
    ),
  "an account's id, signed with a bot's secret": ({ bot, owner }) =>
    forgeToken(
      { _id: owner.id, sub: 'user', aud: `${PLATFORM_AUDIENCE}/bots/${bot}` },
      { secret: 'secret of the bot' },
    ),
  "a bot's id as the id of a subscription, signed with the bot's secret": ({ bot }) =>
    forgeToken(
      { _id: bot, sub: 'subscription', aud: `${PLATFORM_AUDIENCE}/subscriptions/${bot}` },
      { secret: 'secret of the bot' },
    ),
};

const routesOf = (project: string): string[] => [
  '/v3/projects',
  `/v3/projects/${project}`,
  `/v3/${project}/requests`,
  `/v3/${project}/changes`,
  '/v3/jwt/history',
  `/v3/projects/${project}/isopen`,
];

describe('Forged tokens', () => {
  let fixture: TokenFixture;

  before(async () => {
    fixture = await aTokenFixture();
  });

  it('valid tokens that are made with the same function as the forged ones are accepted', async () => {
    const { claims, secret, project, bot } = fixture;
    const signedIn = await api(withToken(forgeToken(claims, { secret }))).post('/v3/auth/signinWithCustomToken');
    expect(signedIn.status, signedIn.text).to.equal(200);
    const byBot = forgeToken(
      { _id: bot, sub: 'bot', aud: `${PLATFORM_AUDIENCE}/bots/${bot}` },
      { secret: 'secret of the bot' },
    );
    for (const token of [forgeToken(claims, { secret }), byBot]) {
      expect((await api(withToken(token)).get(`/v3/${project.id}/changes`)).status).to.equal(200);
    }
  });

  for (const [name, attack] of Object.entries(attacks)) {
    it(`A6: a forged token is rejected on routes of every kind (401): ${name}`, async () => {
      for (const path of routesOf(fixture.project.id)) {
        const { status, body, headers } = await api(withToken(attack(fixture))).get(path);
        expect({ path, status, error: body.error, msg: body.msg, success: body.success }).to.deep.equal({
          ...{ path, status: 401, error: 'Unauthorized', msg: 'Unauthorized', success: false },
        });
        expect(headers['www-authenticate']).to.match(/^Basic /);
      }
    });
  }

  it('an Authorization header larger than any token is rejected (431)', async () => {
    const url = `${await anApi()}/v3/projects`;
    const { statusCode, body } = await request(url, { headers: { authorization: `JWT ${'x'.repeat(65_536)}` } });
    await body.dump();
    expect(statusCode).to.equal(431);
  });
});
