/** `Idempotency-Key` at every POST there is: one key, one effect, one answer (F5). */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { vouchFor } from '#shared/domain/access/accounts.ts';
import { type Endpoint, routesOf } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { digest } from '../support/digest.ts';
import { type Ids, oneOfEach, ownCall } from '../support/foreign-calls.ts';
import type { World } from '../support/kinds.ts';
import { aProject } from '../support/people.ts';

const posts = endpoints.flatMap((endpoint) =>
  routesOf(endpoint)
    .filter(({ method }) => method === 'post')
    .map(({ path }): Endpoint => ({ ...endpoint, method: 'post', path })),
);

/** What is refused, as no password or file is known here: a refusal is repeated as it was. */
const REFUSED = ['/v3/auth/signin', '/v3/:project_id/leads/csv', '/v3/:project_id/leads/imports'];

/** What a body that differs from this one, whatever it is, can say. */
const other = (body: unknown): unknown =>
  Array.isArray(body) ? [...body, ...body] : { ...(body as object), another: 1 };

describe('Idempotency-Key', () => {
  let [world, own]: [World, Ids] = [] as never;
  before(async () => {
    world = await aProject();
    await vouchFor(world.owner.email); // mails that sign in go to proved addresses only
    own = await oneOfEach(world);
  });

  for (const endpoint of posts) {
    it(`is one effect and one answer of POST ${endpoint.path}`, async () => {
      const { path, body } = ownCall(endpoint, world.project.id, own);
      const key = { 'idempotency-key': randomUUID() };
      const post = (sent: unknown) => api(world.owner).post(path, sent, key);
      const first = await post(body);
      if (!REFUSED.includes(endpoint.path)) expect(first.status, first.text).to.equal(200);
      const before = await digest(world.project.id);
      const again = await post(body);
      expect(again).to.deep.include({ status: first.status, text: first.text });
      expect(again.headers['idempotent-replayed']).to.equal('true');
      if (body !== undefined) expect((await post(other(body))).body.code).to.equal('IDEMPOTENCY_KEY_REUSED');
      expect(await digest(world.project.id)).to.equal(before);
    });
  }
});
