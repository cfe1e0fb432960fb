/** Sends the id of another project's record in every id field of every endpoint (attack A1 in docs/attacks.md). */
import { expect } from 'chai';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { databaseDigest } from '../support/database-digest.ts';
import { createOneOfEach, type ForeignCall, foreignCalls, type RecordIds } from '../support/foreign-calls.ts';
import { idFields, idPathParameters, idsOfUnknownKind } from '../support/id-fields.ts';
import { aProject, highestRole } from '../support/people.ts';
import { type ProjectFixture, RECORD_MAKERS } from '../support/record-makers.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

/** Fields whose ids are not looked up, so that they may contain the id of another project's record. */
const UNCHECKED_IDS = [
  'POST /v3/users/loginemail bot_id', // part of a link
  'POST /v3/users/loginemail namespace_id',
  'POST /v3/projects/:project_id/ban id', // bans any caller with this id
  'POST /v3/:project_id/kb/unanswered request_id', // only records where the question came from
  'POST /v3/:project_id/kb/answered request_id',
  'POST /v3/:project_id/kb/qa request_id',
  'POST /v3/:project_id/requests request_id', // unique in its project only
  'POST /v3/:project_id/requests/:request_id/messages :request_id',
  'POST /v3/:project_id/messages sender', // teammates may write on behalf of any sender
  'POST /v3/:project_id/requests/:request_id/messages/multi 0.sender', // imported messages may have any sender
];

/** Fields whose id identifies a record only together with another id: two valid ids may belong to different records. */
const IDS_OF_ONE_RECORD = [
  'POST /v3/:project_id/kb/scrape/single namespace',
  'POST /v3/:project_id/kb/scrape/status namespace',
];

/**
 * The allowed statuses for a foreign id, by the name of its path parameter; 404 for parameters that are not listed.
 * Endpoints of namespaces may return 403 for foreign and for unknown ids.
 */
const REFUSAL_STATUSES: Record<string, number[]> = { namespace: [403, 404] };

/** Allowed statuses for a foreign id in the path; 200 if the call removes an item that a list does not contain. */
const statusesOfMissingRecord = (endpoint: Endpoint, location: string): number[] => {
  // The messages of an unknown conversation are an empty list.
  if (endpoint.method === 'get' && endpoint.path === '/v3/:project_id/requests/:request_id/messages') return [200];
  const part = /\/(participants|followers|notes|tag)\/:(\w+)$/.exec(endpoint.path)?.[2];
  if (part && location === `:${part}`) return [200];
  return REFUSAL_STATUSES[location.slice(1)] ?? [404];
};

const withBodyIds = endpoints.filter((endpoint) => idFields(endpoint, 'body').length);
const withIds = endpoints.filter(
  (endpoint) =>
    withBodyIds.includes(endpoint) || idPathParameters(endpoint).length || idFields(endpoint, 'query').length,
);

describe("Ids of another project's records", () => {
  let [fixture, other]: [ProjectFixture, ProjectFixture] = [] as never;
  let sides: { own: RecordIds; foreign: RecordIds };
  let spare: { fixture: ProjectFixture; ids: RecordIds };
  /** A hash of all records of both projects, which must not change. */
  let digest: string;

  before(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    await markVerified(fixture.owner.email); // sign-in links are sent to verified addresses only
    const [own, foreign] = await Promise.all([createOneOfEach(fixture), createOneOfEach(other)]);
    // For endpoints of global subscriptions, the id of a project's subscription is a foreign id.
    sides = { own, foreign: { ...foreign, globalSubscription: foreign.subscription } };
    const again = await aProject();
    spare = { fixture: again, ids: await createOneOfEach(again) };
    // The conversation has no participants, so that endpoints that route it have something to change.
    await api(fixture.owner).put(`/v3/${fixture.project.id}/requests/${own.request}/participants`, []);
    digest = await databaseDigest(fixture.project.id, other.project.id);
  });

  const send = async (endpoint: Endpoint, { path, body }: ForeignCall) =>
    api(await highestRole(endpoint, fixture)).call(endpoint.method.toUpperCase() as 'PUT', path, body);

  const check = async (endpoint: Endpoint, call: ForeignCall): Promise<void> => {
    const { location } = call;
    const { status, text } = await send(endpoint, call);
    const reply = `${location} ${status} ${text}`;
    expect(text, reply).to.not.include(other.project.id);
    if (location.startsWith(':')) expect(statusesOfMissingRecord(endpoint, location), reply).to.include(status);
    else if (endpoint.method === 'get') expect(status, reply).to.be.below(500);
    else expect(status, reply).to.be.within(400, 499);
  };

  it('every id field of every endpoint refers to a known kind of record', () => {
    expect(endpoints.flatMap(idsOfUnknownKind), 'missing from id-fields.ts').to.deep.equal([]);
  });

  for (const endpoint of withIds) {
    it(`A1: ${nameOf(endpoint)} rejects ids of another project and changes nothing`, async () => {
      const calls = foreignCalls(endpoint, fixture.project.id, sides);
      const withLookup = calls.filter(({ location }) => !UNCHECKED_IDS.includes(`${nameOf(endpoint)} ${location}`));
      const before = digest;
      for (const call of withLookup) await check(endpoint, call);
      if (endpoint.method === 'get') return; // a later test compares the hash for all GET calls
      digest = await databaseDigest(fixture.project.id, other.project.id);
      expect(digest).to.equal(before);
    });
  }

  it('the GET calls with ids of another project have changed nothing', async () => {
    expect(await databaseDigest(fixture.project.id, other.project.id)).to.equal(digest);
  });

  for (const endpoint of withBodyIds) {
    it(`${nameOf(endpoint)} accepts ids of the caller's own project in every id field of its body`, async () => {
      const { project } = spare.fixture;
      const caller = await highestRole(endpoint, spare.fixture);
      const calls = foreignCalls(endpoint, project.id, { own: spare.ids, foreign: spare.ids });
      const others = [...UNCHECKED_IDS, ...IDS_OF_ONE_RECORD];
      for (const { location, path, body } of calls) {
        if (location.startsWith(':') || others.includes(`${nameOf(endpoint)} ${location}`)) continue;
        const { status, text } = await api(caller).call(endpoint.method.toUpperCase() as 'PUT', path, body);
        expect(status, `${location} ${text}`).to.equal(200);
      }
    });
  }

  for (const name of UNCHECKED_IDS) {
    it(`${name} is not looked up and accepts any string`, async () => {
      const endpoint = endpoints.find((one) => name.startsWith(`${nameOf(one)} `)) as Endpoint;
      const foreign = { ...sides.foreign, request: await RECORD_MAKERS.request(other) };
      const calls = foreignCalls(endpoint, fixture.project.id, { ...sides, foreign });
      const call = calls.find(({ location }) => name.endsWith(` ${location}`)) as ForeignCall;
      const before = await databaseDigest(other.project.id);
      const body = Array.isArray(call.body) ? call.body : { text: 'Hello', ...(call.body as object) };
      const { status, text } = await send(endpoint, { ...call, body });
      expect([status, text.includes(other.project.id)], text).to.deep.equal([200, false]);
      expect(await databaseDigest(other.project.id)).to.equal(before);
    });
  }
});
