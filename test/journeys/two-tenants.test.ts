/**
 * One project floods the API while another one uses it. The ids of the attacks are ids of rows in docs/threats.md.
 * Short form of test/bench/two-tenants.bench.ts, which also measures latencies.
 */
import { expect } from 'chai';
import { attacks } from '../support/tenant-attacks.ts';
import { type aNeighbour, anAttacker, aSharedSystem } from '../support/tenant-latency.ts';

const CONNECTIONS = 2;
/** The size of the attacks, as a fraction of their size in the benchmark. */
const SCALE = 0.1;

describe('Isolation of projects under attack', () => {
  let system: Awaited<ReturnType<typeof aSharedSystem>>;
  let neighbour: Awaited<ReturnType<typeof aNeighbour>>;
  let attacker: Awaited<ReturnType<typeof anAttacker>>;

  before(async () => {
    system = await aSharedSystem();
    [neighbour, attacker] = await Promise.all([
      system.neighbour({ teammates: 1, conversations: 1 }),
      anAttacker(system.url),
    ]);
  });
  after(async () => {
    neighbour.close();
    attacker.close();
    await system.close();
  });

  for (const [id, prepare] of Object.entries(attacks)) {
    it(`a project can read, receive events and reach its bot while another project runs attack ${id}`, async () => {
      attacker.start(await prepare(await system.tenant(SCALE)), CONNECTIONS);
      await Promise.all(Object.values(neighbour.operations).map((operation) => operation(0)));
      const sent = await attacker.stop();
      expect(sent).to.not.have.any.keys('500', '503');
    });
  }
});
