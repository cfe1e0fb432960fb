import { compareSizes } from '../support/large-project-trial.ts';

const SIZE = Number(process.env.SIZE ?? 1_000_000);

describe('A large project', () => {
  it(`of ${SIZE} conversations answers within three times what one of 1,000 takes`, () => compareSizes(SIZE));
});
