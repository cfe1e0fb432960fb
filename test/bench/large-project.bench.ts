import { compareSizes } from '../support/large-project-trials.ts';

const CONVERSATION_COUNT = Number(process.env.SIZE ?? 1_000_000);

describe('Large project', () => {
  it(`a project of ${CONVERSATION_COUNT} conversations answers within three times the time of one with 1,000`, () =>
    compareSizes(CONVERSATION_COUNT));
});
