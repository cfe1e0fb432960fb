import { expect } from 'chai';
import { denialReason, type ProjectAccessRules } from '#shared/domain/access/cached-project.ts';

const isAllowed = (rules: ProjectAccessRules, ip: string, id = ''): boolean =>
  denialReason(rules, { ip, id, isVisitor: true }) === undefined;

describe('Project access rules', () => {
  it('an enabled and non-empty allow list admits only its addresses', () => {
    const ipFilter = ['10.0.0.0/8', '192.168.1.7', '2001:db8::/32', 'nonsense'];
    const on = { ipFilterEnabled: true, ipFilter };
    const cases: [string, boolean][] = [
      ['10.255.0.1', true],
      ['11.0.0.1', false],
      ['192.168.1.7', true],
      ['192.168.1.8', false],
      ['::ffff:10.0.0.1', true],
      ['2001:db8::1', true],
      ['2001:db9::1', false],
      ['nonsense', false],
    ];
    for (const [ip, expected] of cases) expect(isAllowed(on, ip), ip).to.equal(expected);
    expect(isAllowed({ ipFilterEnabled: false, ipFilter }, '11.0.0.1')).to.equal(true);
    expect(isAllowed({ ipFilterEnabled: true, ipFilter: [] }, '11.0.0.1')).to.equal(true);
  });

  it('the deny list excludes its addresses, even those on the allow list', () => {
    const deny = { ipFilterDenyEnabled: true, ipFilterDeny: ['10.0.0.1', '::ffff:10.0.0.2'] };
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((ip) => isAllowed(deny, ip))).to.deep.equal([false, false, true]);
    expect(isAllowed({ ...deny, ipFilterEnabled: true, ipFilter: ['10.0.0.0/8'] }, '10.0.0.1')).to.equal(false);
    expect(isAllowed({ ...deny, ipFilterDenyEnabled: false }, '10.0.0.1')).to.equal(true);
  });

  it('a banned user is excluded, and other users are not', () => {
    const bannedUsers = [{ id: 'a' }, { id: '' }];
    expect(['a', 'b', ''].map((id) => isAllowed({ bannedUsers }, '10.0.0.1', id))).to.deep.equal([false, true, true]);
  });

  it('the address in a ban excludes visitors, but not teammates', () => {
    const bannedUsers = [{ id: 'a', ip: '10.0.0.1' }, { id: 'b', ip: 'nonsense' }, { id: 'c' }];
    expect(
      ['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.2', 'nonsense', ''].map((ip) => isAllowed({ bannedUsers }, ip)),
    ).to.deep.equal([false, false, true, true, true]);
    expect(denialReason({ bannedUsers }, { ip: '10.0.0.1', id: 'd', isVisitor: false })).to.equal(undefined);
    expect(denialReason({ bannedUsers }, { ip: '10.0.0.2', id: 'a', isVisitor: false })).to.match(/banned/);
  });
});
