import { compareSizes } from '../support/large-project-trials.ts';

const CONVERSATION_COUNT = Number(process.env.FAULT_CONVERSATIONS ?? 100_000);

describe('Large project', () => {
  it(`calls in a project of ${CONVERSATION_COUNT} conversations take at most three times as long as in a project of 1,000`, () =>
    compareSizes(CONVERSATION_COUNT));
});
