import { expect } from 'chai';
import { toJsonDate } from '#shared/time/json-dates.ts';
import { random } from '../support/seeded-random.ts';

const MAX_MS = 8.64e15;
const DAY_MS = 86_400_000;

/** The JSON of a date without `toJsonDate`, which the process under test may use. */
const expectedJson = (date: Date): string | null => (Number.isNaN(date.getTime()) ? null : date.toISOString());

describe('Times in JSON', () => {
  const times = [
    ...[0, -1, 1, DAY_MS - 1, DAY_MS, -DAY_MS, MAX_MS, -MAX_MS, Number.NaN, Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
    ...Array.from({ length: 20_000 }, () => Math.round((random() - 0.5) * 4e12)),
    ...Array.from({ length: 20_000 }, () => Math.round((random() - 0.5) * 2 * MAX_MS)),
  ];

  it('a time has the same text as with `toISOString`, also before 1970, after 9999 and on more than 1,000 days', () => {
    const differing = times.filter((ms) => toJsonDate(new Date(ms)) !== expectedJson(new Date(ms)));
    expect(differing).to.deep.equal([]);
  });
});
