import { expect } from 'chai';
import { underRush } from '../support/routing-rush.ts';
import { aRoutingStage, type Stage } from '../support/routing-stage.ts';
import { tryRouting, tryShares } from '../support/routing-trial.ts';
import { times } from '../support/stage.ts';

const SEQUENCES = Number(process.env.SEQUENCES ?? 5000);
const RUSHES = 5;

describe('Routing, at length', function () {
  this.timeout(3_600_000);
  let stage: Stage;

  before(async () => {
    stage = await aRoutingStage();
  });
  after(() => stage.close());

  it(`keeps its promises in ${SEQUENCES} sequences by two processes`, async () => {
    const trial = { runs: SEQUENCES, commands: 16, shrink: true };
    const { sequences, commands, assigned, passed } = await tryRouting(stage, trial);
    console.log(`      ${commands} commands, ${assigned} assigned, at most ${passed} passed by one in flight`);
    expect(sequences).to.equal(SEQUENCES);
    expect(assigned).to.be.greaterThan(SEQUENCES);
  });

  it(`gives each group its share in ${SEQUENCES / 10} departments`, async () => {
    const given = await tryShares(stage, { runs: SEQUENCES / 10, shrink: true });
    console.log(`      ${given} conversations`);
  });

  it(`serves a thousand at once in order, in ${RUSHES} of ${RUSHES}`, async () => {
    for (const _ of times(RUSHES, Number)) console.log(`      ${await underRush(stage, 1000)}`);
  });
});
