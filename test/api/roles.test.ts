/** The role matrix: the code against the table that was transcribed by hand, every endpoint and everybody who may call. */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api, type Caller, type Reply } from '../support/api.ts';
import { aCast } from '../support/cast.ts';
import { columns, type Row, rows, type Verdict } from '../support/role-table.ts';
import { validCall } from '../support/valid-call.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;
const byName = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));

/** What the gates say; an endpoint's own refusals, such as of a wrong password, are its answers. */
const GATES = new Map<string, Verdict>([
  ['UNAUTHORIZED', '401'],
  ['NOT_MEMBER', '403'],
  ['ROLE_TOO_LOW', '403'],
  ['OPERATORS_ONLY', '403'],
]);

const verdictOf = ({ status, body }: Reply): Verdict => {
  expect(status).to.be.lessThan(500);
  const verdict = GATES.get(body?.code) ?? 'yes';
  if (verdict !== 'yes') expect(String(status)).to.equal(verdict);
  return verdict;
};

/** The owner comes last: what it does may end the project. */
const inTurn = (names: string[]): string[] => [...names.filter((name) => name !== 'owner'), 'owner'];

let stage: ReturnType<typeof aCast> | undefined;

/** The cast of the last endpoint, unless that did something to it. */
const onStage = async () => {
  if (!(await (await stage)?.isWhole())) stage = aCast();
  return stage as ReturnType<typeof aCast>;
};

const verdictsOf = async (endpoint: Endpoint): Promise<Row['cells']> => {
  const { project, cast } = await onStage();
  const cells: Row['cells'] = {};
  const ask = async (caller: Caller | undefined) => {
    const { path, body } = validCall(endpoint, project);
    return verdictOf(await api(caller).call(endpoint.method.toUpperCase() as 'GET', path, body));
  };
  for (const name of inTurn(columns)) {
    if (!(name in cast)) throw new Error(`nobody plays ${name}`);
    cells[name] = await ask(cast[name]);
  }
  return cells;
};

describe('Who may call what', () => {
  it('is written down for every endpoint, once, and for no other', () => {
    expect(rows.map(({ endpoint }) => endpoint)).to.have.members([...byName.keys()]);
  });

  for (const { endpoint, cells } of rows) {
    it(`is so for ${endpoint}`, async () => {
      const declared = byName.get(endpoint);
      if (declared) expect(await verdictsOf(declared)).to.deep.equal(cells);
      else expect.fail('no such endpoint');
    });
  }
});
