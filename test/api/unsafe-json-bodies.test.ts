import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { IdempotencyKey } from '#shared/models/idempotency-key.ts';
import { api, call } from '../support/api.ts';
import { theLimitedApi } from '../support/api-process.ts';
import { anInstanceAdmin, aPerson, aProject, PASSWORD } from '../support/people.ts';

const nestedJson = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('Deeply nested JSON', () => {
  it('a JSON body nested 20,000 levels deep is rejected (422) with an error that names the field', async () => {
    const { project, owner } = await aProject();
    const deep = `{"name":"Project","settings":${nestedJson(20_000)}}`;
    const array = `{"attributes":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const put = await api(owner).put(`/v3/projects/${project.id}`, deep, JSON_TYPE);
    expect([put.status, put.body.errors?.[0].path]).to.deep.equal([422, 'settings']);
    const patched = await api(owner).patch(`/v3/projects/${project.id}/attributes`, deep, JSON_TYPE);
    expect([patched.status, patched.body.errors?.[0].path]).to.deep.equal([422, 'settings']);
    const user = await api(owner).put('/v3/users', array, JSON_TYPE);
    expect([user.status, user.body.errors?.[0].path]).to.deep.equal([422, 'attributes']);
  });
});

describe('Stored replies for Idempotency-Key', () => {
  it('a stored reply is replayed unchanged and is encrypted in the database', async () => {
    const person = await aPerson();
    const headers = { 'idempotency-key': randomUUID() };
    const began = new Date();
    const signIn = () => api().post('/v3/auth/signin', { email: person.email, password: PASSWORD }, headers);
    const [first, again] = [await signIn(), await signIn()];
    expect([first.status, again.text]).to.deep.equal([200, first.text]);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    const records = JSON.stringify(await IdempotencyKey.find({ createdAt: { $gte: began } }).lean());
    expect(records).to.include('"status":200');
    for (const secret of [first.body.token, first.body.token.split('.')[2], person.email])
      expect(records).to.not.include(secret);
  });

  it('a stored reply is not replayed for an upload of the same file with another value in a form field', async () => {
    const { project, agent } = await aProject();
    const headers = { 'idempotency-key': randomUUID() };
    const post = (dryRun: string) => {
      const form = new FormData();
      form.set('dry_run', dryRun);
      form.set('delimiter', ';');
      form.set('uploadFile', new Blob(['lead_id;email\n1;a@x.org\n'], { type: 'text/csv' }), 'leads.csv');
      return api(agent).post(`/v3/${project.id}/leads/csv`, form, headers);
    };
    const first = await post('true');
    expect(first.status, first.text).to.equal(200);
    expect((await post('true')).text).to.equal(first.text);
    const other = await post('false');
    expect([other.status, other.body.code]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

describe('Queue board (/admin/queues)', () => {
  it('without the header Sec-Fetch-Site, the queue board rejects a change from another site (403) and accepts changes from its own page and from programs that send no Origin', async () => {
    const [{ url }, { authorization }] = await Promise.all([theLimitedApi(), anInstanceAdmin()]);
    const put = (path: string, headers: Record<string, string> = {}) =>
      call('PUT', `${url}/admin/queues/api/queues/kb/${path}`, { headers: { authorization, ...headers } });
    const from = async (origin?: string) => (await put('pause', origin ? { origin } : {})).status;
    expect(await from('http://evil.example')).to.equal(403);
    expect(await from('null')).to.equal(403);
    const ownStatus = await from(new URL(url).origin);
    const programStatus = await from();
    await put('resume');
    expect([ownStatus, programStatus]).to.deep.equal([200, 200]);
  });
});
