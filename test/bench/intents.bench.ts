import { expect } from 'chai';
import { embedder } from '#shared/embedding/embedder.ts';
import type { Embedder } from '#shared/embedding/types.ts';
import { type Accuracy, measureAccuracy, readUtterances, type UtteranceSet } from '../support/intent-accuracy.ts';

const share = (part: number, whole: number): string => `${part}/${whole} = ${(part / whole).toFixed(3)}`;

const printRow = (name: string, { utterances, right, wrong, noIntent, rejected }: Accuracy): void =>
  console.log(
    `      ${name.padEnd(14)} right ${share(right, utterances)}  wrong ${wrong}  none ${utterances - right - wrong}  rejected ${share(rejected, noIntent)}`,
  );

const addUp = (all: Accuracy[]): Accuracy =>
  all.reduce((sum, each) => ({
    utterances: sum.utterances + each.utterances,
    right: sum.right + each.right,
    wrong: sum.wrong + each.wrong,
    noIntent: sum.noIntent + each.noIntent,
    rejected: sum.rejected + each.rejected,
  }));

/** Measures and prints each bot of a set, and returns the sum. */
const measureSet = async (set: UtteranceSet, model: Embedder | null): Promise<Accuracy> => {
  const rows: Accuracy[] = [];
  for (const [language, bot] of Object.entries(await readUtterances(set))) {
    rows.push(await measureAccuracy(language, bot, model));
    printRow(language, rows.at(-1) as Accuracy);
  }
  const total = addUp(rows);
  printRow('all', total);
  return total;
};

describe('Matching of intents', function accuracy() {
  this.timeout(300_000);

  for (const set of ['tuning-set', 'test-set'] as const) {
    it(`with the local model: ${set}`, async function measure() {
      const model = embedder();
      if (model?.provider !== 'local') return this.skip();
      const { right, utterances, rejected, noIntent } = await measureSet(set, model);
      expect(right / utterances).to.be.at.least(0.6);
      expect(rejected / noIntent).to.be.at.least(0.9);
    });

    it(`by words only: ${set}`, async () => {
      const { right, utterances, rejected, noIntent } = await measureSet(set, null);
      expect(right / utterances).to.be.at.least(0.2);
      expect(rejected / noIntent).to.be.at.least(0.7);
    });
  }
});
