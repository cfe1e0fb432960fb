import { expect } from 'chai';
import { ulid } from 'ulid';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { allIds, aRow, aSpace, vectorOf } from '../../support/chunk-rows.ts';

/** Ids that must never reach a path or a filter. */
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

async function errorCodeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'accepted';
}

/** Tests of invalid input to a chunk index. A14 is an attack described in docs/attacks.md. */
export function inputTests(index: () => ChunkIndex): void {
  it('A14: a chunk index refuses every malformed id before it reaches a path or a filter', async () => {
    const space = aSpace();
    const vector = vectorOf(1, 0, 0, 0);
    await index().add(space, [aRow('kept', { vector })]);
    for (const bad of INJECTIONS) {
      const attempts = [
        index().add({ ...space, project: bad }, [aRow('x')]),
        index().add({ ...space, namespace: bad }, [aRow('x')]),
        index().add(space, [aRow('x', { id: bad })]),
        index().add(space, [aRow('x', { content: bad })]),
        index().add(space, [aRow('x', { attemptId: bad })]),
        index().removeAttempts(space, [ulid(), bad]),
        index().drop({ ...space, namespace: bad }),
        index().dropProject(bad),
        index().search(space, { text: 'kept', limit: 3, contents: [bad] }),
        index().countMatches(space, { text: 'kept', limit: 3, contents: [bad] }),
        index().countMatches({ ...space, namespace: bad }, { text: 'kept', limit: 3 }),
        index().search({ ...space, namespace: bad }, { vector, limit: 3 }),
      ];
      expect(new Set(await Promise.all(attempts.map(errorCodeOf))), JSON.stringify(bad)).to.deep.equal(
        new Set(['INVALID_ID']),
      );
    }
    expect(await allIds(index(), space)).to.have.length(1);
  });

  it('a chunk index refuses vectors whose dimension differs from the one that the call states, and vectors with values that are not finite', async () => {
    const space = aSpace();
    for (const vector of [
      vectorOf(1, 2, 3),
      vectorOf(1, 2, 3, Number.NaN),
      vectorOf(1, 2, 3, Number.POSITIVE_INFINITY),
    ]) {
      expect(await errorCodeOf(index().add(space, [aRow('x', { vector })]))).to.equal('INVALID_ID');
      expect(await errorCodeOf(index().search(space, { vector, limit: 1 }))).to.equal('INVALID_ID');
    }
    expect(
      await errorCodeOf(index().add({ ...space, dimension: null }, [aRow('x', { vector: vectorOf(1) })])),
    ).to.equal('INVALID_ID');
  });
}
