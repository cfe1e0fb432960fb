/** Which records belong to a person. */
import { expect } from 'chai';
import { belongsTo } from '#shared/domain/people/classify.ts';

describe('Records of a person', () => {
  const ids = {
    ...{ person: new Set<string>(), visitor: new Set<string>(), conversation: new Set<string>() },
    address: new Set(['ann@example.com']),
  };
  const belongs = (record: Record<string, unknown>) =>
    belongsTo(record, { address: ['to.address'], mentions: 'delete' }, { ids });

  it('a record belongs to the person whose email address is at a dotted path or in a list, in any case', () => {
    expect(belongs({ to: { address: 'Ann@Example.com' } })).to.equal(true);
    expect(belongs({ to: [{ address: 'bob@example.com' }, { address: 'ANN@example.com' }] })).to.equal(true);
    expect(belongs({ to: { address: ['bob@example.com', 'ann@example.com'] } })).to.equal(true);
    for (const record of [{ to: { address: 'bob@example.com' } }, { to: 'ann@example.com' }, {}])
      expect(belongs(record)).to.equal(false);
  });
});
