import { expect } from 'chai';
import { embedder } from '#shared/embedding/embedder.ts';
import { type Accuracy, measureAccuracy, readUtterances } from '../support/intent-accuracy.ts';

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

describe('Matching of intents', function accuracy() {
  this.timeout(300_000);

  it('at least 0.9 of 300 utterances get their intent, and 0.9 of 50 foreign ones none, with the local model', async function measure() {
    const model = embedder();
    if (!model) return this.skip();
    const rows: Accuracy[] = [];
    for (const [language, bot] of Object.entries(await readUtterances('test-set'))) {
      rows.push(await measureAccuracy(language, bot, model));
      printRow(language, rows.at(-1) as Accuracy);
    }
    const total = addUp(rows);
    printRow('all', total);
    for (const [language, bot] of Object.entries(await readUtterances('test-set')))
      printRow(`${language}, words`, await measureAccuracy(language, bot, null));
    expect(total.right / total.utterances).to.be.at.least(0.9);
    expect(total.rejected / total.noIntent).to.be.at.least(0.9);
  });
});
