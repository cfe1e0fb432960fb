/** HTTP rules for all calls: errors, headers, repeated requests. F5 is a failure described in docs/failures.md. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Project } from '#shared/models/project.ts';
import { anApi, api, call } from '../support/api.ts';
import { aPerson } from '../support/people.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SIGN_IN = '/v3/auth/signin';

describe('HTTP protocol', () => {
  it('a call to an unknown path returns 404, and a call with a wrong method returns 405 with the allowed methods, both in JSON', async () => {
    const unknown = await api().get('/v3/nothing/here');
    expect(unknown).to.deep.include({ status: 404 });
    expect(unknown.body).to.include({ success: false, code: 'NOT_FOUND' });
    const wrong = await api().delete(SIGN_IN);
    expect(wrong.status).to.equal(405);
    expect(wrong.headers.allow).to.equal('POST, OPTIONS');
  });

  it('a body over the limit is refused with a 413 error that names the limit, and malformed JSON with a 400 error that does not repeat the body', async () => {
    const large = await api().post(SIGN_IN, { email: 'a@b.cd', password: 'x'.repeat(500_001) });
    expect(large.status).to.equal(413);
    expect(large.body).to.include({ err: 'Request entity too large', limit: 500_000 });
    const broken = await api().post(SIGN_IN, '{"password":"hidden', JSON_TYPE);
    expect(broken.status).to.equal(400);
    expect(broken.text).to.not.include('hidden');
  });

  it('a compressed body that cannot be unpacked is refused with 400, and an unknown encoding with 415', async () => {
    const packed = await api().post(SIGN_IN, 'no gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' });
    expect(packed.status).to.equal(400);
    const unknown = await api().post(SIGN_IN, '{}', { ...JSON_TYPE, 'content-encoding': 'rot13' });
    expect(unknown.status).to.equal(415);
  });

  it('a trailing slash is accepted, and so is an empty body whose content type is JSON', async () => {
    const person = await aPerson();
    expect((await api(person).get('/v3/projects/', JSON_TYPE)).status).to.equal(200);
    expect((await api().post(`${SIGN_IN}/`, undefined, JSON_TYPE)).status).to.equal(422);
  });

  it('every reply has a request id: the one from the request if it is valid, otherwise a generated one', async () => {
    const accepted = await api().get('/health/live', { 'x-request-id': 'my-request-1' });
    expect(accepted.headers['x-request-id']).to.equal('my-request-1');
    const replaced = await api().get('/health/live', { 'x-request-id': 'a b' });
    expect(replaced.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
  });

  it('error responses also have the security headers', async () => {
    const { headers } = await api().get('/v3/nothing');
    expect(headers).to.include({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).to.include("default-src 'none'");
    expect(headers).to.not.have.property('x-powered-by');
  });

  it('a CORS preflight is answered on every path, known or unknown', async () => {
    const preflight = {
      origin: 'https://site.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    };
    for (const path of ['/v3/projects', '/v3/nothing', '/']) {
      const { status, headers } = await api().options(path, preflight);
      expect(status).to.equal(204);
      expect(headers).to.include({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization',
      });
    }
    const { headers } = await api().get('/v3/nothing', { origin: 'https://site.example' });
    expect(headers['access-control-expose-headers']).to.include('X-Request-Id');
  });

  it('a forged or malformed token is refused, and so is a token in the Bearer scheme', async () => {
    const person = await aPerson();
    const [header, payload = '', signature] = person.authorization.slice(4).split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const other = Buffer.from(Buffer.from(payload, 'base64url').toString().replace(person.id, '0'.repeat(24))).toString(
      'base64url',
    );
    const forged = [
      `${none}.${payload}.`,
      `${header}.${other}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      'x'.repeat(8000),
    ];
    for (const token of forged) {
      expect((await api({ id: '', authorization: `JWT ${token}` }).get('/v3/projects')).status, token).to.equal(401);
    }
    expect(
      (await api({ id: '', authorization: person.authorization.replace('JWT', 'Bearer') }).get('/v3/projects')).status,
    ).to.equal(401);
    expect((await api({ id: '', authorization: 'JWT' }).get('/v3/projects')).status).to.equal(400);
  });

  it('a header of 64 KB is refused with 431', async () => {
    const { status } = await call('GET', `${await anApi()}/health/live`, {
      headers: { 'x-large': 'x'.repeat(65_536) },
    });
    expect(status).to.equal(431);
  });
});

describe('Idempotency-Key on concurrent requests', () => {
  const post = (person: Parameters<typeof api>[0], key: string, name: string) =>
    api(person).post('/v3/projects', { name }, { 'idempotency-key': key });

  it('F5: a hundred concurrent POST requests with the same Idempotency-Key create one record and return the same reply', async () => {
    const person = await aPerson();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 100 }, () => post(person, key, 'Once')));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(replies[0]?.status).to.equal(200);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).to.have.lengthOf(99);
    expect(await Project.countDocuments({ createdBy: person.id })).to.equal(1);
  });

  it('a repeated Idempotency-Key is refused if the body differs, and keys of different callers are independent', async () => {
    const [one, other] = await Promise.all([aPerson(), aPerson()]);
    const key = randomUUID();
    expect((await post(one, key, 'First')).status).to.equal(200);
    expect((await post(one, key, 'Second')).body.code).to.equal('IDEMPOTENCY_KEY_REUSED');
    expect((await post(other, key, 'Second')).body.name).to.equal('Second');
  });

  it('a refused request that is repeated with the same Idempotency-Key returns the same refusal', async () => {
    const key = randomUUID();
    const visit = () => api().post('/v3/auth/signinAnonymously', { id_project: 'none' }, { 'idempotency-key': key });
    const [first, second] = [await visit(), await visit()];
    expect(first.status).to.equal(404);
    expect(second).to.deep.include({ status: 404, text: first.text });
  });
});
