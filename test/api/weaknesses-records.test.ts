/** What the peer does wrong with records of every kind, shown not to be here, at whatever endpoint there is. */
import { expect } from 'chai';
import { Types } from 'mongoose';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { Request } from '#shared/models/request.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { digest } from '../support/digest.ts';
import { type Ids, oneOfEach, ownCall } from '../support/foreign-calls.ts';
import { inPath } from '../support/id-places.ts';
import { KINDS, type World } from '../support/kinds.ts';
import { aProject } from '../support/people.ts';

/** Changes that name what they change: all but those that take something out of a record. */
const changes = endpoints.filter((endpoint) => ['put', 'patch'].includes(endpoint.method) && inPath(endpoint).length);

const unknownIds = (): Ids =>
  Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, String(new Types.ObjectId())])) as Ids;

describe('Not here of the peer: records', () => {
  let world: World;
  before(async () => {
    world = await aProject();
    await oneOfEach(world);
  });

  it('a change of an id that is not there makes a record (a 13; b 7, 8.1, 9.2; b 15, 16)', async () => {
    expect(changes.length).to.be.greaterThan(20);
    const made = async ({ method, path: route, ...endpoint }: Endpoint) => {
      const { path, body } = ownCall({ ...endpoint, method, path: route }, world.project.id, unknownIds());
      const before = await digest(world.project.id);
      const { status } = await api(world.owner)[method as 'put'](path, body);
      const left = (await digest(world.project.id)) === before ? 'no trace' : 'a trace';
      return { endpoint: `${method} ${route}`, status, left };
    };
    for (const endpoint of changes) {
      const { status, ...rest } = await made(endpoint);
      expect(rest.left, rest.endpoint).to.equal('no trace');
      expect(status, rest.endpoint).to.be.oneOf([400, 404, 422]);
    }
  });

  it('attributes of tags and canned responses are dropped where they are made (b 15, 11)', async () => {
    const attributes = { colour: 'red' };
    const root = `/v3/${world.project.id}`;
    const tag = await api(world.owner).post(`${root}/tags`, { tag: 'with attributes', attributes });
    const canned = await api(world.owner).post(`${root}/canned`, { title: 'Hi', text: 'Hi', attributes });
    expect([tag.body.attributes, canned.body.attributes]).to.deep.equal([attributes, attributes]);
  });

  it('dates without a zone are those of Rome (b 15, 17)', async () => {
    const id_project = world.project.id;
    const request_id = await KINDS.request(world);
    const createdAt = new Date('2026-07-01T22:30:00Z'); // the second of July in Rome
    await Request.updateOne({ id_project, request_id }, { createdAt }, { timestamps: false, overwriteImmutable: true });
    const count = async (zone: string) =>
      (await api(world.owner).get(`/v3/${id_project}/requests?end_date=01/07/2026${zone}`)).body.count;
    expect([await count(''), await count('&timezone=Europe/Rome')]).to.deep.equal([1, 0]);
  });
});
