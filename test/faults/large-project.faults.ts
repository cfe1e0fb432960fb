import { compareSizes } from '../support/large-project-trial.ts';

const SIZE = Number(process.env.FAULT_CONVERSATIONS ?? 100_000);

describe('A large project', () => {
  it(`of ${SIZE} conversations answers within three times what one of 1,000 takes`, () => compareSizes(SIZE));
});
