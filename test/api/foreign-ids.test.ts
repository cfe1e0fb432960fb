/** The id of another project's record, of every kind and at every place of every endpoint (A1, decision 6). */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { vouchFor } from '#shared/domain/access/accounts.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { digest } from '../support/digest.ts';
import { type ForeignCall, foreignCalls, type Ids, oneOfEach } from '../support/foreign-calls.ts';
import { inFields, inPath, unknownPlaces } from '../support/id-places.ts';
import { KINDS, type World } from '../support/kinds.ts';
import { aProject } from '../support/people.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

/** Where the text stands for nothing but itself: it may be that of a record elsewhere, which is not looked for. */
const ONLY_A_TEXT = [
  'POST /v3/users/loginemail bot_id', // part of a link
  'POST /v3/users/loginemail namespace_id',
  'POST /v3/projects/:project_id/ban id', // whoever comes under that name
  'POST /v3/:project_id/kb/unanswered request_id', // a note of where it was asked
  'POST /v3/:project_id/requests request_id', // unique in its project only
  'POST /v3/:project_id/requests/:request_id/messages :request_id',
  'POST /v3/:project_id/messages sender', // teammates speak for whom they like (contract b 3.7)
  'POST /v3/:project_id/requests/:request_id/messages/multi 0.sender', // imports name whom they like (contract b 3.4)
];

/** Two ids of one call that are of one thing: what is there of each alone is not there of both. */
const OF_ONE_THING = [
  'POST /v3/:project_id/kb/scrape/single namespace',
  'POST /v3/:project_id/kb/scrape/status namespace',
];

/** 403 of a knowledge base, foreign and unknown alike (decision 6). */
const REFUSED: Record<string, number[]> = { namespace: [403, 404] };

/** Codes of a call that names something in its path which is not there; 200 where there is nothing to take away. */
const absent = (endpoint: Endpoint, place: string): number[] => {
  if (endpoint.method === 'get' && endpoint.path === '/v3/:project_id/requests/:request_id/messages') return [200]; // no messages
  const part = /\/(participants|followers|notes|tag)\/:(\w+)$/.exec(endpoint.path)?.[2];
  if (part && place === `:${part}`) return [200];
  return REFUSED[place.slice(1)] ?? [404];
};

const withFields = endpoints.filter((endpoint) => inFields(endpoint, 'body').length);
const withAny = endpoints.filter(
  (endpoint) => withFields.includes(endpoint) || inPath(endpoint).length || inFields(endpoint, 'query').length,
);

describe("The id of another project's record", () => {
  let [world, other]: [World, World] = [] as never;
  let sides: { own: Ids; foreign: Ids };
  let spare: { world: World; ids: Ids };

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    await vouchFor(world.owner.email); // mails that sign in go to proved addresses alone
    const [own, foreign] = await Promise.all([oneOfEach(world), oneOfEach(other)]);
    sides = { own, foreign };
    const again = await aProject();
    spare = { world: again, ids: await oneOfEach(again) };
    // Nobody has it: what sends a conversation on its way has something to do.
    await api(world.owner).put(`/v3/${world.project.id}/requests/${own.request}/participants`, []);
  });

  const send = (endpoint: Endpoint, { path, body }: ForeignCall) =>
    api(world.owner).call(endpoint.method.toUpperCase() as 'PUT', path, body);

  const check = async (endpoint: Endpoint, call: ForeignCall): Promise<void> => {
    const { place } = call;
    const { status, text } = await send(endpoint, call);
    const said = `${place} ${status} ${text}`;
    expect(text, said).to.not.include(other.project.id);
    if (place.startsWith(':')) expect(absent(endpoint, place), said).to.include(status);
    else if (endpoint.method === 'get') expect(status, said).to.be.below(500);
    else expect(status, said).to.be.within(400, 499);
  };

  it('is of a kind that is known, wherever an id is told', () => {
    expect(endpoints.flatMap(unknownPlaces), 'to be said in id-places.ts').to.deep.equal([]);
  });

  for (const endpoint of withAny) {
    it(`is that of nothing to ${nameOf(endpoint)}`, async () => {
      const calls = foreignCalls(endpoint, world.project.id, sides);
      const searching = calls.filter(({ place }) => !ONLY_A_TEXT.includes(`${nameOf(endpoint)} ${place}`));
      const before = await digest(world.project.id, other.project.id);
      for (const call of searching) await check(endpoint, call);
      expect(await digest(world.project.id, other.project.id)).to.equal(before);
    });
  }

  for (const endpoint of withFields) {
    it(`is all that ${nameOf(endpoint)} refuses: one's own id in its place is taken`, async () => {
      const { project, owner } = spare.world;
      const calls = foreignCalls(endpoint, project.id, { own: spare.ids, foreign: spare.ids });
      const others = [...ONLY_A_TEXT, ...OF_ONE_THING];
      for (const { place, path, body } of calls) {
        if (place.startsWith(':') || others.includes(`${nameOf(endpoint)} ${place}`)) continue;
        const { status, text } = await api(owner).call(endpoint.method.toUpperCase() as 'PUT', path, body);
        expect(status, `${place} ${text}`).to.equal(200);
      }
    });
  }

  for (const name of ONLY_A_TEXT) {
    it(`is only a text at ${name}`, async () => {
      const endpoint = endpoints.find((one) => name.startsWith(`${nameOf(one)} `)) as Endpoint;
      const foreign = { ...sides.foreign, request: await KINDS.request(other) };
      const calls = foreignCalls(endpoint, world.project.id, { ...sides, foreign });
      const call = calls.find(({ place }) => name.endsWith(` ${place}`)) as ForeignCall;
      const before = await digest(other.project.id);
      const body = Array.isArray(call.body) ? call.body : { text: 'Hello', ...(call.body as object) };
      const { status, text } = await send(endpoint, { ...call, body });
      expect([status, text.includes(other.project.id)], text).to.deep.equal([200, false]);
      expect(await digest(other.project.id)).to.equal(before);
    });
  }
});
