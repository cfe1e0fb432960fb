/** `If-Match` at every endpoint that declares the record it changes, and at those that do not (decision 43). */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import type { World } from '../support/kinds.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';
import { validCall } from '../support/valid-call.ts';
import { expectOneOfTwo, versioned } from '../support/version-trials.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

const PAIRS = Math.ceil(200 / versioned.length);

/** Changes of what has no version of its own on the wire. */
const WITHOUT = [
  'PUT /v3/auth/verifyemail/:userid/:code',
  'PUT /v3/auth/resetpsw/:resetpswrequestid',
  'PUT /v3/:project_id/project_users',
  'DELETE /v3/jwt/history/id/:id',
  'DELETE /v3/jwt/history/:jti',
  'PUT /v3/:project_id/kb/namespace/:id',
  'DELETE /v3/:project_id/kb/namespace/:id',
  'DELETE /v3/:project_id/kb/unanswered/namespace/:namespace',
];

const changesOne = ({ method, path }: Endpoint): boolean =>
  method !== 'get' && method !== 'post' && path.includes('/:');

describe('The version of a record', () => {
  let world: World;
  before(async () => {
    world = await aProject();
  });

  it('is minded wherever one record is changed', () => {
    const others = endpoints.filter((endpoint) => changesOne(endpoint) && !endpoint.record);
    expect(others.map(nameOf)).to.have.members(WITHOUT);
  });

  for (const endpoint of versioned) {
    it(`lets one of two in who know the same one, and nobody who knows another: ${nameOf(endpoint)} (A19)`, async () => {
      const pairs = await Promise.all(times(PAIRS, () => expectOneOfTwo(endpoint, world)));
      expect(pairs, 'what is changed').to.include(true);
    });
  }

  for (const endpoint of endpoints.filter(({ method, record }) => method !== 'get' && !record)) {
    it(`is refused where it can not be minded (422): ${nameOf(endpoint)}`, async () => {
      const { path, body } = validCall(endpoint, world.project.id);
      const reply = await api(world.owner)[endpoint.method as 'put'](path, body, { 'if-match': '1' });
      if (reply.body.errors?.[0].path === 'If-Match') return;
      const plain = await api(world.owner)[endpoint.method as 'put'](path, body);
      expect([reply.status, reply.text]).to.deep.equal([422, plain.text]); // something else is wrong with it
    });
  }
});

describe('A record', () => {
  const aLead = async () => {
    const { project, owner, agent } = await aProject();
    const { body, headers } = await api(owner).post(`/v3/${project.id}/leads`, { fullname: 'Ann' });
    const one = `/v3/${project.id}/leads/${body._id}`;
    return {
      ...{ project, owner, agent, one, version: headers['x-record-version'] },
      rename: (match: string, fullname = 'Bea') => api(owner).put(one, { fullname }, { 'if-match': match }),
    };
  };

  it('tells its version with every answer that is the record, and takes that one back in every form', async () => {
    const { owner, one, version, rename } = await aLead();
    expect(version).to.equal('0');
    for (const [at, form] of ['0', '"1"', 'W/"2"', '"99", W/"3"', '*'].entries()) {
      const { status, headers, body } = await rename(form, `Bea ${at}`);
      expect([status, headers['x-record-version'], body.__v], form).to.deep.equal([200, String(at + 1), at + 1]);
    }
    expect((await api(owner).get(one)).headers['x-record-version']).to.equal('5');
  });

  it('is not changed by who knows another version, and is told of in the refusal', async () => {
    const { owner, one, rename } = await aLead();
    const { status, body, headers } = await rename('7');
    expect([status, body.code, headers['x-record-version']]).to.deep.equal([412, 'VERSION', '0']);
    expect((await api(owner).get(one)).body).to.include({ fullname: 'Ann', __v: 0 });
    expect((await api(owner).put(one, {}, { 'if-match': '7' })).status).to.equal(412); // nothing to write, all the same
  });

  it('is not looked for by what is no version (422), and where it is not there says so (404)', async () => {
    const { owner, one, rename } = await aLead();
    const { headers } = await api(owner).get(one);
    for (const form of ['', 'one', '"0', '-1', '0;1', String(headers.etag), '0'.repeat(16)])
      expect((await rename(form)).status, form).to.equal(422);
    expect((await api(owner).put(`${one.slice(0, -24)}${'0'.repeat(24)}`, {}, { 'if-match': '0' })).status).to.equal(
      404,
    );
  });

  it('keeps its version to itself where the caller may not see it', async () => {
    const { project, agent, owner } = await aLead();
    const root = `/v3/${project.id}/canned`;
    const { body } = await api(agent).post(root, { title: 'Mine', text: 'Mine' });
    const { status, headers } = await api(owner).put(`${root}/${body._id}`, { text: 'Yours' }, { 'if-match': '7' });
    expect([status, headers['x-record-version']]).to.deep.equal([403, undefined]);
  });

  it('is not sent again to who has it (304), until it is another', async () => {
    const { owner, one, rename } = await aLead();
    const etag = String((await api(owner).get(one)).headers.etag);
    const held = (tag: string) => api(owner).get(one, { 'if-none-match': tag });
    for (const form of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await held(form);
      expect([status, text, headers.etag], form).to.deep.equal([304, '', etag]);
    }
    expect((await held('"other"')).status).to.equal(200);
    await rename('0');
    expect((await held(etag)).status).to.equal(200);
  });
});
