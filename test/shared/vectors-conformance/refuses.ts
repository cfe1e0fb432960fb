import { expect } from 'chai';
import { ulid } from 'ulid';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { aRow, aSpace, allIds, at } from '../../support/chunk-rows.ts';

/** Attack A14: what must never reach a path or a filter. */
const INJECTIONS = [
  "' OR '1'='1",
  "x' OR 1=1 --",
  "'; DROP TABLE chunks; --",
  "') OR ('1'='1",
  '" OR ""="',
  "a' UNION SELECT * FROM x --",
  '../../../etc/passwd',
  '..',
  '.',
  '/etc',
  '..\\..\\x',
  '%2e%2e%2f',
  'a/b',
  'a\0b',
  '',
  ' ',
  '*',
  '%',
  '_',
  '`id`',
  '$(id)',
  '{"$ne":null}',
  '[object Object]',
  'null',
  'true',
  '0',
  `${'a'.repeat(24)}\n`,
  `${'a'.repeat(23)}'`,
  'A'.repeat(24),
  `${'a'.repeat(24)} OR true`,
  'ａ'.repeat(24),
  `${'0'.repeat(24)}\u202e`,
];

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'accepted';
}

/** What must not get in. */
export function refuses(index: () => ChunkIndex): void {
  it('A14: refuses every id that is not plain, before it reaches a path or a filter', async () => {
    const space = aSpace();
    const vector = at(1, 0, 0, 0);
    await index().add(space, [aRow('kept', { vector })]);
    for (const bad of INJECTIONS) {
      const attempts = [
        index().add({ ...space, project: bad }, [aRow('x')]),
        index().add({ ...space, namespace: bad }, [aRow('x')]),
        index().add(space, [aRow('x', { id: bad })]),
        index().add(space, [aRow('x', { content: bad })]),
        index().add(space, [aRow('x', { attempt: bad })]),
        index().removeAttempts(space, [ulid(), bad]),
        index().drop({ ...space, namespace: bad }),
        index().dropProject(bad),
        index().search(space, { text: 'kept', limit: 3, contents: [bad] }),
        index().search({ ...space, namespace: bad }, { vector, limit: 3 }),
      ];
      expect(new Set(await Promise.all(attempts.map(refusal))), JSON.stringify(bad)).to.deep.equal(
        new Set(['INVALID_ID']),
      );
    }
    expect(await allIds(index(), space)).to.have.length(1);
  });

  it('refuses vectors that do not fit', async () => {
    const space = aSpace();
    for (const vector of [at(1, 2, 3), at(1, 2, 3, Number.NaN), at(1, 2, 3, Number.POSITIVE_INFINITY)]) {
      expect(await refusal(index().add(space, [aRow('x', { vector })]))).to.equal('INVALID_ID');
      expect(await refusal(index().search(space, { vector, limit: 1 }))).to.equal('INVALID_ID');
    }
    expect(await refusal(index().add({ ...space, dimension: null }, [aRow('x', { vector: at(1) })]))).to.equal(
      'INVALID_ID',
    );
  });
}
