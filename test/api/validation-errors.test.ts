/** The validation errors of every endpoint. */
import { expect } from 'chai';
import { PROJECT_ACTIVE, Project } from '#shared/models/project.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { anApi, api, type Caller, call } from '../support/api.ts';
import { fieldsOfType, fillWith, WRONG_VALUES } from '../support/invalid-inputs.ts';
import { aProject, highestRole } from '../support/people.ts';
import type { JsonSchema } from '../support/schema-samples.ts';
import { schemaOf, UNKNOWN_ID, validCall } from '../support/valid-call.ts';

/** Matches a message that names the field, followed by its rule. */
const SENTENCE_PATTERN =
  /^(\S+|The body|The query) (is required|is not supported|is not (an )?allowed( name)?: \S|must (be|have|not|match|contain|start) \S)/;
/** Matches the default messages of the validation library, which must not reach clients. */
const STOCK_MESSAGE =
  /invalid (input|option|string|key|element|value)|expected|(?<!\.)received|too (big|small)|unrecognized/i;

/** Returns the fields of a schema that accept exactly one value, with that value. */
const constantsOf = ({ properties = {} }: JsonSchema): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).flatMap(([name, { const: value }]) => (value ? [[name, value]] : [])));

interface FieldError {
  path: string;
  message: string;
  msg: string;
}

/** Values that are not JSON objects. */
const WRONG_INPUTS: unknown[] = ['x', [], null];

/** Returns inputs, most of which the endpoint rejects. */
const wrongCalls = ({ body, query }: Endpoint): { query?: string; body?: unknown }[] => {
  const bodies = body ? [...WRONG_VALUES.map((value) => fillWith(schemaOf(body), value)), ...WRONG_INPUTS] : [];
  const texts = ['???', '-1', 'é'.repeat(400)];
  const queries = query
    ? texts.map((text) => Object.keys(schemaOf(query).properties ?? {}).map((name): [string, string] => [name, text]))
    : [];
  return [
    ...bodies.map((invalid) => ({ body: invalid })),
    ...queries.map((pairs) => ({ query: new URLSearchParams(pairs).toString() })),
    ...queries.map((pairs) => ({ query: new URLSearchParams([...pairs, ...pairs]).toString() })),
  ];
};

const pathOf = (endpoint: Endpoint, project: string): string => validCall(endpoint, project).path.split('?')[0] ?? '';

const errorsOf = async (endpoint: Endpoint, caller: Caller, project: string): Promise<FieldError[]> => {
  const errors: FieldError[] = [];
  for (const { query, body } of wrongCalls(endpoint)) {
    const path = `${pathOf(endpoint, project)}${query ? `?${query}` : ''}`;
    const headers = { authorization: caller.authorization, 'content-type': 'application/json' };
    const method = endpoint.method.toUpperCase() as 'GET';
    const reply = await call(method, (await anApi()) + path, { body: JSON.stringify(body), headers });
    if (reply.status === 422) errors.push(...(reply.body.errors ?? []));
  }
  return errors.filter((error) => typeof error === 'object');
};

describe('Validation errors', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let messageCount = 0;

  beforeEach(async () => {
    // A call that the previous test made and that was accepted may have closed the project.
    const isThere = fixture && (await Project.exists({ _id: fixture.project.id, status: PROJECT_ACTIVE }));
    if (!isThere) fixture = await aProject();
  });

  for (const endpoint of endpoints.filter(({ query, body }) => query ?? body)) {
    it(`${endpoint.method.toUpperCase()} ${endpoint.path} names each wrong field and its rule`, async () => {
      const caller = await highestRole(endpoint, fixture);
      const errors = await errorsOf(endpoint, caller, fixture.project.id);
      const messages = new Set(errors.map(({ message }) => message));
      const wrong = errors.filter(({ path, message, msg }) => {
        const named = path ? message.startsWith(`${path} `) : /^The (body|query) /.test(message);
        return !named || msg !== message || !SENTENCE_PATTERN.test(message) || STOCK_MESSAGE.test(message);
      });
      expect(wrong.slice(0, 5)).to.deep.equal([]);
      messageCount += messages.size;
    });
  }

  it('an object, a list, a number or a flag in place of an id is refused (422)', async () => {
    const { project, owner } = await aProject();
    for (const lead of [{ toString: 1 }, { toHexString: 1 }, [UNKNOWN_ID], 7, true]) {
      const { status, body } = await api(owner).post(`/v3/${project.id}/leads/${UNKNOWN_ID}/merge`, { lead });
      expect([status, body.errors?.[0].path], JSON.stringify(lead)).to.deep.equal([422, 'lead']);
    }
  });

  it('more than 500 different validation messages were checked', () => {
    expect(messageCount).to.be.greaterThan(500);
  });
});

describe('Flags and numbers as strings', () => {
  for (const endpoint of endpoints.filter(({ query, body }) => query ?? body)) {
    const name = `${endpoint.method.toUpperCase()} ${endpoint.path}`;
    for (const part of ['query', 'body'] as const) {
      const schema = endpoint[part];
      if (!schema) continue;
      const json = schemaOf(schema);
      const flags = fieldsOfType(json, ['boolean']);
      const numbers = fieldsOfType(json, ['number', 'integer']);
      if (!flags.length && !numbers.length) continue;
      it(`the ${part} of ${name} accepts flags and numbers as strings`, () => {
        const texts = Object.fromEntries([...flags.map((flag) => [flag, 'false']), ...numbers.map((n) => [n, '1'])]);
        const issues = schema.safeParse({ ...constantsOf(json), ...texts }).error?.issues ?? [];
        const refused = issues.filter(({ path, code }) => code === 'invalid_type' && texts[String(path[0])]);
        expect(refused).to.deep.equal([]);
      });
    }
  }
});
