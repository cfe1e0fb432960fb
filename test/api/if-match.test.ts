/**
 * `If-Match` on every endpoint: it is checked by endpoints that declare a record, and rejected by the others. A19 is an
 * attack described in docs/attacks.md.
 */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { expectOneOfTwoSucceeds, versionedEndpoints } from '../support/if-match-trials.ts';
import { aProject, highestRole } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { validCall } from '../support/valid-call.ts';
import { imageForm } from '../support/uploads.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

/**
 * The maximum number of pairs of concurrent calls to an endpoint. Another pair is sent only if neither call of the pair
 * before it has changed the record. The long form, test/faults/if-match.faults.ts, sends 200 pairs.
 */
const MAX_PAIRS = 3;

/** Endpoints that declare no record, because its version is not on the wire or because they change several records. */
const UNVERSIONED_ENDPOINTS = [
  'PUT /v3/auth/verifyemail/:userid/:code',
  'PUT /v3/auth/resetpsw/:resetpswrequestid',
  'PUT /v3/:project_id/project_users',
  'DELETE /v3/jwt/history/id/:id',
  'DELETE /v3/jwt/history/:jti',
  'PUT /v3/:project_id/modules/triggers/:code/reset',
  'PUT /v3/:project_id/kb/namespace/:id',
  'DELETE /v3/:project_id/kb/namespace/:id',
  'DELETE /v3/:project_id/kb/unanswered/namespace/:namespace',
  'DELETE /v3/:project_id/kb/answered/namespace/:namespace',
  'DELETE /v3/:project_id/files',
  'PUT /v3/:project_id/kbsettings/:settings_id',
  'DELETE /v3/:project_id/kbsettings/:settings_id/:content_id',
];

const changesOneRecord = ({ method, path }: Endpoint): boolean =>
  method !== 'get' && method !== 'post' && path.includes('/:');

describe('If-Match on every endpoint', () => {
  let fixture: ProjectFixture;
  before(async () => {
    fixture = await aProject();
  });

  it('every endpoint that changes one record declares the record, apart from the listed exceptions', () => {
    const others = endpoints.filter((endpoint) => changesOneRecord(endpoint) && !endpoint.record);
    expect(others.map(nameOf)).to.have.members(UNVERSIONED_ENDPOINTS);
  });

  for (const endpoint of versionedEndpoints) {
    it(`A19: ${nameOf(endpoint)} accepts one of two concurrent changes with the same version and none with another version`, async () => {
      let isChanged = false;
      for (let pair = 0; pair < MAX_PAIRS && !isChanged; pair++)
        isChanged = await expectOneOfTwoSucceeds(endpoint, fixture);
      expect(isChanged, 'a pair has changed the record').to.equal(true);
    });
  }

  for (const endpoint of endpoints.filter(({ method, record }) => method !== 'get' && !record)) {
    it(`${nameOf(endpoint)} rejects If-Match, as it has no versioned record (422)`, async () => {
      const { path, body: json } = validCall(endpoint, fixture.project.id);
      const body = endpoint.uploads?.field === 'file' ? await imageForm() : json;
      const caller = await highestRole(endpoint, fixture);
      const reply = await api(caller)[endpoint.method as 'put'](path, body, { 'if-match': '1' });
      if (reply.body.errors?.[0].path === 'If-Match') return;
      const plain = await api(caller)[endpoint.method as 'put'](path, body);
      expect([reply.status, reply.text]).to.deep.equal([422, plain.text]); // the call is invalid for another reason
    });
  }
});

describe('Record versions', () => {
  const aLead = async () => {
    const { project, owner, agent } = await aProject();
    const { body, headers } = await api(owner).post(`/v3/${project.id}/leads`, { fullname: 'Ann' });
    const one = `/v3/${project.id}/leads/${body._id}`;
    return {
      ...{ project, owner, agent, one, version: headers['x-record-version'] },
      rename: (match: string, fullname = 'Bea') => api(owner).put(one, { fullname }, { 'if-match': match }),
    };
  };

  it('every reply with a record contains its version, which If-Match accepts unquoted, quoted, as a weak ETag and in a list', async () => {
    const { owner, one, version, rename } = await aLead();
    expect(version).to.equal('0');
    for (const [index, form] of ['0', '"1"', 'W/"2"', '"99", W/"3"', '*'].entries()) {
      const { status, headers, body } = await rename(form, `Bea ${index}`);
      expect([status, headers['x-record-version'], body.__v], form).to.deep.equal([200, String(index + 1), index + 1]);
    }
    expect((await api(owner).get(one)).headers['x-record-version']).to.equal('5');
  });

  it('a change with a version other than the current one returns 412 with the current version and changes nothing', async () => {
    const { owner, one, rename } = await aLead();
    const { status, body, headers } = await rename('7');
    expect([status, body.code, headers['x-record-version']]).to.deep.equal([412, 'VERSION_MISMATCH', '0']);
    expect((await api(owner).get(one)).body).to.include({ fullname: 'Ann', __v: 0 });
    expect((await api(owner).put(one, {}, { 'if-match': '7' })).status).to.equal(412); // although nothing would change
  });

  it('a call with If-Match returns 422 for a value that is not a version, and 404 for an unknown record', async () => {
    const { owner, one, rename } = await aLead();
    const { headers } = await api(owner).get(one);
    for (const form of ['', 'one', '"0', '-1', '0;1', String(headers.etag), '0'.repeat(16)])
      expect((await rename(form)).status, form).to.equal(422);
    expect((await api(owner).put(`${one.slice(0, -24)}${'0'.repeat(24)}`, {}, { 'if-match': '0' })).status).to.equal(
      404,
    );
  });

  it('a caller who may not see a record does not receive its version', async () => {
    const { project, agent, owner } = await aLead();
    const root = `/v3/${project.id}/canned`;
    const { body } = await api(agent).post(root, { title: 'Mine', text: 'Mine' });
    const { status, headers } = await api(owner).put(`${root}/${body._id}`, { text: 'Yours' }, { 'if-match': '7' });
    expect([status, headers['x-record-version']]).to.deep.equal([403, undefined]);
  });

  it('If-None-Match returns 304 until the record changes', async () => {
    const { owner, one, rename } = await aLead();
    const etag = String((await api(owner).get(one)).headers.etag);
    const getIfNoneMatch = (tag: string) => api(owner).get(one, { 'if-none-match': tag });
    for (const form of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await getIfNoneMatch(form);
      expect([status, text, headers.etag], form).to.deep.equal([304, '', etag]);
    }
    expect((await getIfNoneMatch('"other"')).status).to.equal(200);
    await rename('0');
    expect((await getIfNoneMatch(etag)).status).to.equal(200);
  });
});
