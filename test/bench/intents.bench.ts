/**
 * Measures how many utterances match the right intent, and how many utterances that belong to no intent are rejected,
 * which means that they match none. With `INTENT_SET=<file>`, measures the utterances in this file instead of the sets
 * in `test/data/intents`.
 */
import { expect } from 'chai';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { intentEmbedder } from '#shared/embedding/embedder.ts';
import type { Embedder } from '#shared/embedding/types.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import {
  type Accuracy,
  addUp,
  measureAccuracy,
  type Miss,
  readUtterances,
  UTTERANCE_SETS,
} from '../support/intent-accuracy.ts';

const SETS = process.env.INTENT_SET ? [pathToFileURL(resolve(process.env.INTENT_SET))] : Object.values(UTTERANCE_SETS);
const PRINTED_MISSES = 10;

const share = (part: number, whole: number): string => `${part}/${whole} = ${(part / whole).toFixed(3)}`;

const printRow = (name: string, { utterances, right, wrong, noIntent, rejected }: Accuracy): void =>
  console.log(
    `      ${name.padEnd(6)} right ${share(right, utterances)}  wrong ${wrong}  none ${utterances - right - wrong}  rejected ${share(rejected, noIntent)}`,
  );

/** Prints the worst misses, which are the wrong matches with the highest scores. */
const printMisses = (misses: Miss[]): void => {
  const worst = misses.toSorted((one, other) => other.score - one.score).slice(0, PRINTED_MISSES);
  for (const { language, text, intent = 'none', matched = 'none', score } of worst)
    console.log(`      ${score.toFixed(2)} ${language} ${JSON.stringify(text)}: ${matched} instead of ${intent}`);
};

/** Measures each bot of a set (one per language) and prints its accuracy. Returns the counts of all bots together. */
const measureSet = async (file: URL, modelFor: (language: string) => Embedder | null): Promise<Accuracy> => {
  const rows: Accuracy[] = [];
  for (const [language, bot] of Object.entries(await readUtterances(file))) {
    rows.push(await measureAccuracy(language, bot, modelFor(language)));
    printRow(language, rows.at(-1) as Accuracy);
  }
  const total = addUp(rows);
  printRow('all', total);
  printMisses(total.misses);
  return total;
};

describe('Intent matching', function accuracy() {
  this.timeout(600_000);

  for (const file of SETS) {
    const name = file.pathname.split('/').at(-1);

    it(`matching with the local encoder for intents reaches its accuracy goals: ${name}`, async function measure() {
      if (intentEmbedder('en')?.provider !== 'local') return skipWithReason(this, 'no local model is installed');
      const { right, utterances, rejected, noIntent } = await measureSet(file, intentEmbedder);
      expect(right / utterances).to.be.at.least(0.4);
      expect(rejected / noIntent).to.be.at.least(0.8);
    });

    it(`matching by words alone rejects utterances that belong to no intent: ${name}`, async () => {
      const { rejected, noIntent } = await measureSet(file, () => null);
      expect(rejected / noIntent).to.be.at.least(0.6);
    });
  }
});
