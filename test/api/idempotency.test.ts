/** `Idempotency-Key` on every POST endpoint: one key, one effect, one reply. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { type Endpoint, routesOf } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { databaseDigest } from '../support/database-digest.ts';
import { createOneOfEach, ownCall, type RecordIds } from '../support/foreign-calls.ts';
import { aMail } from '../support/inbound.ts';
import { aProject, highestRole } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { imageForm } from '../support/uploads.ts';

/** Calls that fail because a site cannot be reached. Their replies are not stored, because a retry may succeed. */
const TEMPORARY_FAILURES = ['/v3/:project_id/kb/sitemap/import'];

const postEndpoints = endpoints.flatMap((endpoint) =>
  routesOf(endpoint)
    .filter(({ method, path }) => method === 'post' && !TEMPORARY_FAILURES.includes(path))
    .map(({ path }): Endpoint => ({ ...endpoint, method: 'post', path })),
);

/**
 * Calls that are refused, because the test has no password, file, SMTP server or dead letter. The refusal is repeated
 * unchanged.
 */
const REFUSED_CALLS = [
  '/v3/dead-letters/replay',
  '/v3/auth/signin',
  '/v3/:project_id/emails/test/send',
  '/v3/:project_id/leads/csv',
  '/v3/:project_id/leads/imports',
  '/v3/:project_id/kb/csv',
  '/v3/:project_id/kb/namespace/import/:id',
  '/v3/:project_id/llm/preview',
  '/v3/:project_id/quotes/incr/:type',
  '/v3/:project_id/faq/uploadcsv',
  '/v3/:project_id/intents/uploadcsv',
];

/** The body for an endpoint that accepts a picture in a form, or an email as text; undefined for other endpoints. */
const uploadOf = async ({ uploads }: Endpoint): Promise<unknown> => {
  if (uploads?.textFields) return { email: aMail() };
  return uploads?.field === 'file' ? imageForm() : undefined;
};

/** A body that differs from the given one. */
const otherBody = async (body: unknown): Promise<unknown> =>
  body instanceof FormData ? imageForm({ r: 255, g: 0, b: 0 }) : otherJson(body);

const otherJson = (body: unknown): unknown =>
  Array.isArray(body) ? [...body, ...body] : { ...(body as object), another: 1 };

describe('Idempotency-Key on every POST endpoint', () => {
  let [fixture, ownIds]: [ProjectFixture, RecordIds] = [] as never;
  before(async () => {
    fixture = await aProject();
    await markVerified(fixture.owner.email); // sign-in links are sent to verified addresses only
    ownIds = await createOneOfEach(fixture);
  });

  for (const endpoint of postEndpoints) {
    it(`POST ${endpoint.path} has one effect and one reply per Idempotency-Key`, async () => {
      const { path, body: json } = ownCall(endpoint, fixture.project.id, ownIds);
      const body = (await uploadOf(endpoint)) ?? json;
      const key = { 'idempotency-key': randomUUID() };
      const caller = await highestRole(endpoint, fixture);
      const post = (content: unknown) => api(caller).post(path, content, key);
      const first = await post(body);
      if (!REFUSED_CALLS.includes(endpoint.path)) expect(first.status, first.text).to.equal(endpoint.status ?? 200);
      const before = await databaseDigest(fixture.project.id);
      const again = await post(body);
      expect(again).to.deep.include({ status: first.status, text: first.text });
      expect(again.headers['idempotent-replayed']).to.equal('true');
      if (body !== undefined) expect((await post(await otherBody(body))).body.code).to.equal('IDEMPOTENCY_KEY_REUSED');
      expect(await databaseDigest(fixture.project.id)).to.equal(before);
    });
  }
});
