/**
 * One project floods the API while another one uses it. Short form of test/bench/two-tenants.bench.ts, which also
 * measures latencies.
 */
import { expect } from 'chai';
import { times } from '../support/fleet-fixture.ts';
import { attacks } from '../support/tenant-attacks.ts';
import { type aNeighbour, aSharedSystem, startFlood } from '../support/tenant-latency.ts';

const OPERATIONS_PER_ATTACK = 1;
const CONNECTIONS = 2;

describe('Isolation of projects under attack', () => {
  let system: Awaited<ReturnType<typeof aSharedSystem>>;
  let neighbour: Awaited<ReturnType<typeof aNeighbour>>;

  before(async () => {
    system = await aSharedSystem();
    neighbour = await system.neighbour();
  });
  after(async () => {
    neighbour.close();
    await system.close();
  });

  for (const [id, prepare] of Object.entries(attacks)) {
    it(`a project can read, receive events and reach its bot while another project runs attack ${id}`, async () => {
      const attack = await startFlood(system.url, await prepare(await system.tenant()), CONNECTIONS);
      const { get, event, bot } = neighbour.operations;
      const done = await Promise.all(times(OPERATIONS_PER_ATTACK, (n) => [get(n), event(n), bot(n)]).flat());
      const sent = await attack.stop();
      expect(done).to.have.lengthOf(3 * OPERATIONS_PER_ATTACK);
      expect(sent).to.not.have.any.keys('500', '503');
    });
  }
});
