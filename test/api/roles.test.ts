/**
 * Compares every endpoint's answers to actors of every kind with the role table, which is written by hand. A2 is an
 * attack in docs/attacks.md.
 */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { actorsOfProject } from '../support/actors.ts';
import { api, type Caller, type Reply } from '../support/api.ts';
import { roleColumns, type RoleRow, roleRows, type Verdict } from '../support/role-table.ts';
import { maxStatusOf, validCall } from '../support/valid-call.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;
const byName = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));

/** Codes of authorization failures; an endpoint's own errors, such as a wrong password, count as access. */
const VERDICT_OF_CODE = new Map<string, Verdict>([
  ['UNAUTHORIZED', '401'],
  ['NOT_MEMBER', '403'],
  ['ROLE_TOO_LOW', '403'],
  ['INSTANCE_ADMINS_ONLY', '403'],
]);

const verdictOf = (endpoint: Endpoint, { status, body }: Reply): Verdict => {
  expect(status).to.be.at.most(maxStatusOf(endpoint));
  const verdict = VERDICT_OF_CODE.get(body?.code) ?? 'yes';
  if (verdict !== 'yes') expect(String(status)).to.equal(verdict);
  return verdict;
};

/** Moves the owner to the end, because the owner's call may delete the project. */
const ownerLast = (names: string[]): string[] => [...names.filter((name) => name !== 'owner'), 'owner'];

let sharedActors: Awaited<ReturnType<typeof actorsOfProject>> | undefined;
/** Whether calls other than GET have been made since `isUnchanged` last checked the shared actors. */
let mayHaveChanged = false;

/** The actors of the previous endpoint, unless its calls changed them. */
const currentActors = async (endpoint: Endpoint) => {
  if (mayHaveChanged && !(await sharedActors?.isUnchanged())) sharedActors = undefined;
  mayHaveChanged = endpoint.method !== 'get';
  return (sharedActors ??= await actorsOfProject());
};

const verdictsOf = async (endpoint: Endpoint): Promise<RoleRow['cells']> => {
  const { project, callers } = await currentActors(endpoint);
  const cells: RoleRow['cells'] = {};
  const callEndpoint = async (caller: Caller | undefined) => {
    const { path, body } = validCall(endpoint, project);
    return verdictOf(endpoint, await api(caller).call(endpoint.method.toUpperCase() as 'GET', path, body));
  };
  for (const name of ownerLast(roleColumns)) {
    if (!(name in callers)) throw new Error(`no actor for ${name}`);
    cells[name] = await callEndpoint(callers[name]);
  }
  return cells;
};

describe('Role table', () => {
  it('the role table lists every declared endpoint exactly once, and no other endpoint', () => {
    expect(roleRows.map(({ endpoint }) => endpoint)).to.have.members([...byName.keys()]);
  });

  for (const { endpoint, cells } of roleRows) {
    it(`A2: ${endpoint} answers each role as the role table states`, async () => {
      const declared = byName.get(endpoint);
      if (declared) expect(await verdictsOf(declared)).to.deep.equal(cells);
      else expect.fail('no such endpoint');
    });
  }
});
