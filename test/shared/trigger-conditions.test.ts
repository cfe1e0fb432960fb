/** Trigger conditions: every operator, paths, and visitors' values that look like code. */
import { expect } from 'chai';
import { type Condition, meetsConditions, valueAt } from '#shared/domain/triggers/conditions.ts';
import { CONDITION_OPERATORS, type ConditionOperator } from '#shared/triggers/definitions.ts';

const FACTS = {
  text: 'I need help',
  status: 200,
  count: '7',
  isOpen: false,
  rating: null,
  tags: ['vip', 'new'],
  channel: { name: 'chat21' },
  createdAt: new Date('2026-01-02T03:04:05Z'),
  list: [{ id: 1 }],
  hostile: { $where: 'sleep(1)', 'a.b': 1 },
};

type Row = [operator: ConditionOperator, path: string, value: Condition['value'], holds: boolean];

/** `in` finds the value in a string or a list, and `contains` only in a list. */
const ROWS: Row[] = [
  ['equal', 'status', 200, true],
  ['equal', 'status', '200', false],
  ['equal', 'isOpen', false, true],
  ['equal', 'rating', null, true],
  ['equal', 'absent', null, true],
  ['equal', 'createdAt', '2026-01-02T03:04:05.000Z', true],
  ['notEqual', 'status', 100, true],
  ['notEqual', 'status', 200, false],
  ['notEqual', 'absent', 'x', true],
  ['in', 'text', 'help', true],
  ['in', 'text', 'HELP', false],
  ['in', 'tags', 'vip', true],
  ['in', 'absent', 'x', false],
  ['notIn', 'text', 'help', false],
  ['notIn', 'tags', 'old', true],
  ['notIn', 'absent', 'x', true],
  ['contains', 'tags', 'new', true],
  ['contains', 'text', 'help', false],
  ['doesNotContain', 'tags', 'new', false],
  ['doesNotContain', 'absent', 'new', true],
  ['lessThan', 'status', 201, true],
  ['lessThan', 'status', 200, false],
  ['lessThan', 'absent', 1, false],
  ['lessThanInclusive', 'status', 200, true],
  ['greaterThan', 'count', 6, true],
  ['greaterThan', 'status', 200, false],
  ['greaterThanInclusive', 'status', 200, true],
  ['greaterThanInclusive', 'text', 0, false],
  ['hasOwnProperty', 'channel', 'name', true],
  ['hasOwnProperty', 'channel', 'toString', false],
  ['hasOwnProperty', '', 'status', true],
  ['notHasOwnProperty', 'channel', 'other', true],
  ['notHasOwnProperty', 'absent', 'other', true],
];

describe('Conditions of triggers', () => {
  for (const [operator, path, value, holds] of ROWS)
    it(`${path || 'the payload'} ${operator} ${JSON.stringify(value)} is ${holds}`, () => {
      const condition = { path, operator, value };
      expect(meetsConditions(FACTS, { all: [condition], any: [] })).to.equal(holds);
      expect(meetsConditions(FACTS, { all: [], any: [condition] })).to.equal(holds);
    });

  it('the tested conditions cover every operator', () => {
    expect(new Set(ROWS.map(([operator]) => operator))).to.deep.equal(new Set(CONDITION_OPERATORS));
  });

  it('a path may begin with $. or a dot, and reads only own properties and array elements', () => {
    for (const path of ['channel.name', '.channel.name', '$.channel.name'])
      expect(valueAt(FACTS, path)).to.equal('chat21');
    expect(valueAt(FACTS, 'tags.1')).to.equal('new');
    expect(valueAt(FACTS, '$.list[0].id')).to.equal(1);
    for (const path of ['__proto__', 'constructor.name', 'text.length', 'tags.at', 'channel.constructor'])
      expect(valueAt(FACTS, path) === undefined, path).to.equal(true);
  });

  it('a non-empty `any` replaces `all`, and a trigger without conditions always runs', () => {
    const yes: Condition = { path: 'status', operator: 'equal', value: 200 };
    const no: Condition = { ...yes, value: 1 };
    expect(meetsConditions(FACTS, { all: [no], any: [yes, no] })).to.equal(true);
    expect(meetsConditions(FACTS, { all: [yes], any: [no] })).to.equal(false);
    expect(meetsConditions(FACTS, { all: [yes, no], any: [] })).to.equal(false);
    expect(meetsConditions(FACTS, { all: [], any: [] })).to.equal(true);
  });
});
