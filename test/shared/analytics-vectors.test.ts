import { expect } from 'chai';
import { additionsOf, additionsTo, type Facts, seriesName } from '#shared/domain/analytics/series.ts';
import {
  addSections,
  addVector,
  mergeVector,
  sumRanges,
  valueAt,
  visitVector,
} from '#shared/domain/analytics/sparse-vector.ts';

const encode = (values: Record<number, number>): Buffer =>
  mergeVector(undefined, new Map(Object.entries(values).map(([index, value]) => [Number(index), value]))) as Buffer;

const decode = (bytes: Uint8Array): Record<number, number> => {
  const values: Record<number, number> = {};
  visitVector(bytes, (index, value) => {
    values[index] = value;
  });
  return values;
};

const DENSE = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [5000 + index, 1 + (index % 255)]));
const VECTORS = {
  'one small value': { 0: 1 },
  'values at distant indexes': { 3: -1, 200: 64, 400_000: 1e15 },
  'small counts at nearly all indexes': DENSE,
  'counts at nearly all indexes, one above 255': { ...DENSE, 5010: 256 },
};

describe('Sparse vectors of rollups', () => {
  for (const [title, values] of Object.entries(VECTORS))
    it(`a vector with ${title} can be encoded and decoded`, () => {
      const bytes = encode(values);
      expect(decode(bytes)).to.deep.equal(values);
      expect(valueAt(bytes, Number(Object.keys(values).at(-1)))).to.equal(Object.values(values).at(-1));
      expect(valueAt(bytes, 1)).to.equal(0);
    });

  it('small counts at nearly all indexes are stored in about one byte each', () => {
    expect(encode(DENSE).length).to.be.below(310);
    expect(encode(VECTORS['counts at nearly all indexes, one above 255']).length).to.be.above(600);
  });

  it('mergeVector adds changes to a vector, removes zeros, and returns the same bytes as encoding the sums', () => {
    const changes = new Map([
      [5000, -1],
      [5001, 10],
      [9000, 7],
      [2, 3],
    ]);
    const { 5000: _, ...rest } = DENSE;
    const expected = { ...rest, 5001: (DENSE[5001] ?? 0) + 10, 9000: 7, 2: 3 };
    expect(Buffer.compare(mergeVector(encode(DENSE), changes) as Buffer, encode(expected))).to.equal(0);
    const negated = new Map(Object.entries(DENSE).map(([index, value]) => [Number(index), -value]));
    expect(mergeVector(encode(DENSE), negated)).to.equal(null);
  });

  it('sumRanges sums the values in ranges of indexes', () => {
    for (const [values, ends] of [
      [DENSE, [10, 5002, 5004, Infinity]],
      [{ 5: 300, 5001: 7, 5003: -1 }, [4, 5002, Infinity]],
    ] as const) {
      const sums = ends.map(() => 0);
      sumRanges(encode(values), [...ends], (index, sum) => {
        const range = ends.findIndex((end) => index < end);
        sums[range] = (sums[range] ?? 0) + sum;
      });
      const within = (range: number) =>
        Object.entries(values).filter(
          ([index]) => Number(index) < (ends[range] ?? 0) && Number(index) >= (ends[range - 1] ?? 0),
        );
      expect(sums).to.deep.equal(ends.map((_, range) => within(range).reduce((sum, [, value]) => sum + value, 0)));
    }
  });

  it('addVector adds all values of a vector to an array; addSections adds a range of the values to one array and subtracts the range from another', () => {
    for (const values of [DENSE, { 0: 2, 5001: 7 }]) {
      const sums = new Int32Array(6000);
      addVector(encode(values), sums);
      for (const [index, value] of Object.entries(values)) expect(sums[Number(index)]).to.equal(value);
      const [to, from] = [new Int32Array(4000), new Int32Array(4000)];
      addSections(encode(values), { first: 1, end: 2, size: 4000 }, { to, from });
      expect(to[1001]).to.equal(values[5001]);
      expect(from[1001]).to.equal(-(values[5001] as number));
      expect(to[0]).to.equal(0);
    }
  });
});

describe('Series of rollups', () => {
  const createdAt = new Date('2026-11-20T12:20:00Z');
  const facts: Facts = {
    createdAt,
    department: 'a|b=c',
    channel: 'email',
    participants: ['p', 'q', 'p'],
    sourcePage: '/',
  };

  it('a conversation is counted once per combination of the filters that it matches', () => {
    const names = additionsOf('requests', facts).map(({ series }) => series);
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.equal(2 * (2 * 2 * 3));
    const filter = { department: 'a|b=c', participant: 'q', channel: 'email' };
    expect(names).to.include(seriesName('requests.sourcePage', filter));
    expect(names).to.include(seriesName('requests', { channel: 'email' }));
  });

  it('additionsTo returns only the sums that a record adds to the given series', () => {
    const all = additionsOf('requests', facts);
    for (const { series } of all)
      expect(additionsTo(series, 'requests')(facts)).to.deep.equal(all.filter((each) => each.series === series));
    for (const series of ['requests|department=a', 'requests|participant=r', 'messages'])
      expect(additionsTo(series, 'requests')(facts)).to.deep.equal([]);
  });
});
