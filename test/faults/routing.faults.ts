import { expect } from 'chai';
import { times } from '../support/fleet-fixture.ts';
import { aRoutingFixture, type RoutingFixture } from '../support/routing-fixture.ts';
import { runRush } from '../support/routing-rush.ts';
import { runRoutingTrial, runShareTrial } from '../support/routing-trials.ts';

const SEQUENCE_COUNT = Number(process.env.SEQUENCES ?? 5000);
const RUSH_COUNT = 5;

describe('Routing in random sequences of commands', function () {
  this.timeout(3_600_000);
  let fixture: RoutingFixture;

  before(async () => {
    fixture = await aRoutingFixture();
  });
  after(() => fixture.close());

  it(`routing by two processes obeys its rules in ${SEQUENCE_COUNT} random sequences of commands`, async () => {
    const trial = { runs: SEQUENCE_COUNT, commands: 16, shrink: true };
    const { sequences, commands, assigned, mostOvertaken: passed } = await runRoutingTrial(fixture, trial);
    console.log(
      `      ${commands} commands, ${assigned} conversations assigned, one assignment overtook at most ${passed} earlier conversations`,
    );
    expect(sequences).to.equal(SEQUENCE_COUNT);
    expect(assigned).to.be.greaterThan(SEQUENCE_COUNT);
  });

  it(`routing gives each group of a department its share of the conversations, in ${SEQUENCE_COUNT / 10} departments`, async () => {
    const count = await runShareTrial(fixture, { runs: SEQUENCE_COUNT / 10, shrink: true });
    console.log(`      ${count} conversations`);
  });

  it(`routing assigns a thousand concurrent conversations in order, in ${RUSH_COUNT} of ${RUSH_COUNT} trials`, async () => {
    for (const _ of times(RUSH_COUNT, Number))
      console.log(`      ${await runRush(fixture, { arrivals: 1000, teammates: 20 })}`);
  });
});
