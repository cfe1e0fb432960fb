import { expect } from 'chai';
import { type Gates, refusal } from '#shared/domain/access/gates.ts';

const passes = (gates: Gates, ip: string, id = ''): boolean => refusal(gates, { ip, id, visitor: true }) === undefined;

describe('Gates of a project', () => {
  it('let in only who is on the allow list, once it is on and holds something', () => {
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
    for (const [ip, expected] of cases) expect(passes(on, ip), ip).to.equal(expected);
    expect(passes({ ipFilterEnabled: false, ipFilter }, '11.0.0.1')).to.equal(true);
    expect(passes({ ipFilterEnabled: true, ipFilter: [] }, '11.0.0.1')).to.equal(true);
  });

  it('keep out who is on the deny list, on the allow list or not', () => {
    const deny = { ipFilterDenyEnabled: true, ipFilterDeny: ['10.0.0.1', '::ffff:10.0.0.2'] };
    expect(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((ip) => passes(deny, ip))).to.deep.equal([false, false, true]);
    expect(passes({ ...deny, ipFilterEnabled: true, ipFilter: ['10.0.0.0/8'] }, '10.0.0.1')).to.equal(false);
    expect(passes({ ...deny, ipFilterDenyEnabled: false }, '10.0.0.1')).to.equal(true);
  });

  it('keep out who is banned, and nobody else', () => {
    const bannedUsers = [{ id: 'a' }, { id: '' }];
    expect(['a', 'b', ''].map((id) => passes({ bannedUsers }, '10.0.0.1', id))).to.deep.equal([false, true, true]);
  });

  it('keep out visitors from the address of a ban, and no teammate', () => {
    const bannedUsers = [{ id: 'a', ip: '10.0.0.1' }, { id: 'b', ip: 'nonsense' }, { id: 'c' }];
    expect(
      ['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.2', 'nonsense', ''].map((ip) => passes({ bannedUsers }, ip)),
    ).to.deep.equal([false, false, true, true, true]);
    expect(refusal({ bannedUsers }, { ip: '10.0.0.1', id: 'd', visitor: false })).to.equal(undefined);
    expect(refusal({ bannedUsers }, { ip: '10.0.0.2', id: 'a', visitor: false })).to.match(/banned/);
  });
});
