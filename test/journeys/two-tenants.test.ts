/** One tenant attacks, another one works: the short form of test/bench/two-tenants.bench.ts, which measures times. */
import { expect } from 'chai';
import { times } from '../support/stage.ts';
import { attacks } from '../support/tenant-attacks.ts';
import { aBattlefield, type aNeighbour, flood } from '../support/tenants.ts';

const EACH = 2;
const CONNECTIONS = 3;

describe('A tenant beside one that attacks at full force', function () {
  this.timeout(120_000);
  let field: Awaited<ReturnType<typeof aBattlefield>>;
  let neighbour: Awaited<ReturnType<typeof aNeighbour>>;

  before(async () => {
    field = await aBattlefield();
    neighbour = await field.neighbour();
  });
  after(async () => {
    neighbour.close();
    await field.close();
  });

  for (const [id, prepare] of Object.entries(attacks)) {
    it(`reads, receives events and reaches its bot while attack ${id} goes on`, async () => {
      const attack = await flood(field.url, await prepare(await field.tenant()), CONNECTIONS);
      const { get, event, bot } = neighbour.operations;
      const done = await Promise.all(times(EACH, (n) => [get(n), event(n), bot(n)]).flat());
      const sent = await attack.stop();
      expect(done).to.have.lengthOf(3 * EACH);
      expect(sent).to.not.have.any.keys('500', '503');
    });
  }
});
