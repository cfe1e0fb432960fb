/** Removal of empty values of optional fields before an endpoint receives a body. */
import { expect } from 'chai';
import { z } from 'zod';
import { acceptEmpty, omitEmptyFields } from '../../api/http/request/input.ts';

describe('Empty values in a body', () => {
  const optionalText = () => z.string().optional();

  it('empty values of optional fields are removed at every depth, except those that a field accepts', () => {
    const schema = z.object({
      required: z.string(),
      nested: z.object({ note: optionalText(), text: acceptEmpty(optionalText(), '') }),
      list: z.array(z.object({ note: optionalText() })),
      byName: z.record(z.string(), z.object({ note: optionalText() })),
    });
    const body = {
      ...{ required: '', nested: { note: null, text: '' }, list: [{ note: '' }], byName: { one: { note: null } } },
    };
    expect(omitEmptyFields(schema, body)).to.deep.equal({
      ...{ required: '', nested: { text: '' }, list: [{}], byName: { one: {} } },
    });
  });

  it('empty values are removed from the fields of every alternative of a union, including nested fields', () => {
    const schema = z.union([
      z.object({ kind: z.literal('one'), filter: z.object({ one: optionalText() }) }),
      z.object({ kind: z.literal('two'), filter: z.object({ two: optionalText() }).optional() }).optional(),
      z.array(z.object({ item: optionalText() })),
    ]);
    expect(omitEmptyFields(schema, { kind: 'two', filter: { two: '' } })).to.deep.equal({ kind: 'two', filter: {} });
    expect(omitEmptyFields(schema, { kind: 'one', filter: { one: null } })).to.deep.equal({ kind: 'one', filter: {} });
    expect(omitEmptyFields(schema, [{ item: '' }])).to.deep.equal([{}]);
  });

  it('an empty value that one alternative of a union accepts for a field is kept', () => {
    const schema = z.object({
      reply: z.union([z.object({ text: acceptEmpty(optionalText(), '') }), z.object({ text: optionalText() })]),
    });
    expect(omitEmptyFields(schema, { reply: { text: '' } })).to.deep.equal({ reply: { text: '' } });
    expect(omitEmptyFields(schema, { reply: { text: null } })).to.deep.equal({ reply: {} });
  });
});
