/**
 * Rules for records of every kind. Each of them prevents a defect of another product; the defects are listed in
 * test/data/defects-of-another-product.md.
 */
import { expect } from 'chai';
import { Types } from 'mongoose';
import { Conversation } from '#shared/models/conversation.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { databaseDigest } from '../support/database-digest.ts';
import { createOneOfEach, ownCall, type RecordIds } from '../support/foreign-calls.ts';
import { idPathParameters } from '../support/id-fields.ts';
import { aProject, highestRole } from '../support/people.ts';
import { type ProjectFixture, RECORD_MAKERS } from '../support/record-makers.ts';

/** Every endpoint that updates a record whose id is in the path. */
const changeEndpoints = endpoints.filter(
  (endpoint) => ['put', 'patch'].includes(endpoint.method) && idPathParameters(endpoint).length,
);

const unknownIds = (): RecordIds =>
  Object.fromEntries(Object.keys(RECORD_MAKERS).map((kind) => [kind, String(new Types.ObjectId())])) as RecordIds;

describe('Rules for records of every kind', () => {
  let fixture: ProjectFixture;
  before(async () => {
    fixture = await aProject();
    await createOneOfEach(fixture);
  });

  it('an update with an unknown id is refused and creates no record', async () => {
    expect(changeEndpoints.length).to.be.greaterThan(20);
    const updateUnknown = async ({ method, path: route, ...endpoint }: Endpoint) => {
      const { path, body } = ownCall({ ...endpoint, method, path: route }, fixture.project.id, unknownIds());
      const before = await databaseDigest(fixture.project.id);
      const { status } = await api(await highestRole(endpoint, fixture))[method as 'put'](path, body);
      const effect = (await databaseDigest(fixture.project.id)) === before ? 'unchanged' : 'changed';
      return { endpoint: `${method} ${route}`, status, effect };
    };
    for (const endpoint of changeEndpoints) {
      const { status, ...rest } = await updateUnknown(endpoint);
      expect(rest.effect, rest.endpoint).to.equal('unchanged');
      expect(status, rest.endpoint).to.be.oneOf([400, 404, 422]);
    }
  });

  it('attributes of new tags and canned responses are stored', async () => {
    const attributes = { colour: 'red' };
    const root = `/v3/${fixture.project.id}`;
    const tag = await api(fixture.owner).post(`${root}/tags`, { tag: 'with attributes', attributes });
    const canned = await api(fixture.owner).post(`${root}/canned`, { title: 'Hi', text: 'Hi', attributes });
    expect([tag.body.attributes, canned.body.attributes]).to.deep.equal([attributes, attributes]);
  });

  it('dates in a query without a time zone are interpreted as UTC', async () => {
    const id_project = fixture.project.id;
    const request_id = await RECORD_MAKERS.request(fixture);
    const createdAt = new Date('2026-07-01T22:30:00Z'); // the second of July in Rome
    await Conversation.updateOne(
      { id_project, request_id },
      { createdAt },
      { timestamps: false, overwriteImmutable: true },
    );
    const count = async (zone: string) =>
      (await api(fixture.owner).get(`/v3/${id_project}/requests?end_date=01/07/2026${zone}`)).body.count;
    expect([await count(''), await count('&timezone=Europe/Rome')]).to.deep.equal([1, 0]);
  });
});
