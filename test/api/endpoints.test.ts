/**
 * Rules for every endpoint, including new ones: authentication, roles, isolation of projects, input. A3 and A5 are
 * attacks in docs/attacks.md.
 */
import { expect } from 'chai';
import { PROJECT_ACTIVE, Project } from '#shared/models/project.ts';
import { User } from '#shared/models/user.ts';
import { ROLES } from '#shared/wire/roles.ts';
import { type Endpoint, type Method, routesOf } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api, type Caller, type Reply } from '../support/api.ts';
import { commandsDuring, mongoOperatorsIn } from '../support/mongo-commands.ts';
import { aProject, aTeammate, aVisitor, highestRole } from '../support/people.ts';
import { textFields, withText } from '../support/schema-samples.ts';
import { maxStatusOf, schemaOf, UNKNOWN_ID, validCall } from '../support/valid-call.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;
type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const send = (
  caller: Caller | undefined,
  method: Method,
  { path, body }: { path: string; body?: unknown },
): Promise<Reply> => api(caller).call(method.toUpperCase() as HttpMethod, path, body);

const isProjectScoped = (endpoint: Endpoint) => endpoint.path.includes(':project_id');
const hasRecordId = (endpoint: Endpoint) => /:(?!project_id)/.test(endpoint.path);

/** The callers that `callerBelowRole` has created, by project and role. */
const callers = new Map<string, Caller>();

/** A caller with the role just below the one that the endpoint requires, or null if there is no lower role. */
const callerBelowRole = async ({ role }: Endpoint, project: string): Promise<Caller | null> => {
  const lower = ROLES[ROLES.indexOf(role as (typeof ROLES)[number]) - 1];
  if (!lower) return null;
  const key = `${project} ${lower}`;
  const caller = callers.get(key) ?? (await (lower === 'guest' ? aVisitor(project) : aTeammate(project, lower)));
  callers.set(key, caller);
  return caller;
};

/** The allowed statuses for an unknown record: 404, with the exceptions below. */
const statusesOfMissingRecord = ({ path, method }: Endpoint): number[] => {
  if (method === 'get' && path.includes('/labels/')) return [200]; // the default language is returned
  if (/\/(un)?answered\//.test(path)) return [403, 404];
  if (path.endsWith('/integration/name/:name')) return [200]; // returns the text that deployed clients expect
  if (path.startsWith('/v3/public/')) return [404];
  // GET returns an empty list, and POST creates the conversation.
  return path.endsWith('/:request_id/messages') ? [200, 422] : [404];
};

const MONGO_OPERATORS: object[] = [
  { $ne: 'canary $ne' },
  { $gt: 'canary $gt' },
  { $regex: 'canary $regex' },
  { $where: 'canary $where' },
  { $expr: 'canary $expr' },
  { $in: ['canary $in'] },
];
let usedOperators = 0;

/**
 * Returns the next query operator in turn. A field is tested with only a few operators: a schema that accepts one
 * operator in place of a string accepts all of them.
 */
const nextOperator = (): object => MONGO_OPERATORS[usedOperators++ % MONGO_OPERATORS.length] as object;

/** Values that are not strings: a query operator, and a list with a query operator. */
const valuesWithOperators = (): unknown[] => [nextOperator(), [nextOperator()]];

const isCanary = ({ key, value }: { key: string; value: unknown }): boolean => [value].flat()[0] === `canary ${key}`;

const PROTECTED_FIELDS = {
  unknown_field: 1,
  _id: UNKNOWN_ID,
  id_project: UNKNOWN_ID,
  createdBy: 'me',
  role: 'owner',
  trashed: true,
  isAuthenticated: true,
  __v: 99,
  $set: { name: 'x' },
  constructor: { prototype: { polluted: true } },
};
const PROTOTYPE_KEYS = JSON.parse(
  `{"__proto__":{"polluted":true},${JSON.stringify(PROTECTED_FIELDS).slice(1)}`,
) as object;

describe('Every endpoint', () => {
  let own: ProjectFixture;
  let other: ProjectFixture;

  before(async () => {
    [own, other] = await Promise.all([aProject(), aProject()]);
  });
  const ensureProject = async () => {
    if (!(await Project.exists({ _id: own.project.id, status: PROJECT_ACTIVE }))) own = await aProject();
  };

  for (const endpoint of endpoints) {
    const { method, path, role } = endpoint;
    const name = `${method.toUpperCase()} ${path}`;

    describe(name, () => {
      const validCallOf = (id?: string) => validCall(endpoint, own.project.id, id);
      (method === 'delete' ? beforeEach : before)(ensureProject); // a deletion may delete the project

      it(`${name} answers a valid call with its declared reply, without a server error`, async () => {
        const { status } = await send(await highestRole(endpoint, own), method, validCallOf());
        expect(status).to.be.at.most(maxStatusOf(endpoint));
      });

      if (role !== 'none') {
        it(`${name} requires credentials (401)`, async () => {
          for (const route of routesOf(endpoint)) {
            const reply = await send(undefined, route.method, validCall({ ...endpoint, ...route }, own.project.id));
            expect(reply).to.deep.include({ status: 401 });
            expect(reply.headers['www-authenticate']).to.match(/^Basic realm=/);
          }
        });
      }

      if (role !== 'none' && role !== 'any') {
        it(`${name} refuses callers with the role just below the required one (403)`, async () => {
          const caller = isProjectScoped(endpoint) ? await callerBelowRole(endpoint, own.project.id) : own.guest;
          if (!caller) return;
          for (const route of routesOf(endpoint)) {
            const reply = await send(caller, route.method, validCall({ ...endpoint, ...route }, own.project.id));
            expect(reply.status).to.equal(403);
            expect(reply.body.code).to.equal(role === 'instance-admin' ? 'INSTANCE_ADMINS_ONLY' : 'ROLE_TOO_LOW');
          }
        });
      }

      if (isProjectScoped(endpoint) && role !== 'none') {
        it(`${name} refuses callers from other projects, with the same reply as for an unknown project (403)`, async () => {
          const foreign = await send(other.owner, method, validCallOf());
          const unknown = await send(other.owner, method, validCall(endpoint, UNKNOWN_ID));
          expect(foreign).to.deep.include({ status: 403 });
          expect(unknown).to.deep.include({ status: 403, text: foreign.text });
        });
      }

      if (hasRecordId(endpoint)) {
        it(`${name} does not find records of another project (404)`, async () => {
          // A project's id is also the id of its default namespace, so the other project has a record with this id.
          const caller = await highestRole(endpoint, own);
          for (const id of [other.project.id, UNKNOWN_ID]) {
            const { status } = await send(caller, method, validCallOf(id));
            expect(statusesOfMissingRecord(endpoint)).to.include(status);
          }
        });
      }

      it(`A5: ${name} never passes a query operator to the database`, async () => {
        const { path, body } = validCallOf();
        const inBody = textFields(schemaOf(endpoint.body)).flatMap((field) =>
          valuesWithOperators().map((value) => ({ path, body: withText(body, field.path, value) })),
        );
        const parameters = Object.keys(schemaOf(endpoint.query).properties ?? {});
        const inQuery = parameters.map((parameter) => {
          const [key = ''] = Object.keys(nextOperator());
          const query = `${parameter}[${key}]=canary%20${key}&${parameter}=a&${parameter}=b`;
          return { path: `${path}${path.includes('?') ? '&' : '?'}${query}`, body };
        });
        const statuses: number[] = [];
        const caller = await highestRole(endpoint, own);
        const commands = await commandsDuring(async () => {
          for (const call of [...inBody, ...inQuery]) statuses.push((await send(caller, method, call)).status);
        });
        expect(statuses.filter((status) => status > maxStatusOf(endpoint))).to.deep.equal([]);
        expect(mongoOperatorsIn(commands).filter(isCanary)).to.deep.equal([]);
      });

      if (endpoint.body) {
        it(`A3: ${name} ignores unknown and protected fields`, async () => {
          const { path, body } = validCallOf();
          const trapped = { ...PROTOTYPE_KEYS, ...(body as object) };
          const reply = await api(await highestRole(endpoint, own)).call(
            method.toUpperCase() as HttpMethod,
            path,
            trapped,
          );
          expect(reply.status).to.be.at.most(maxStatusOf(endpoint));
          expect(reply.text).to.not.include('"polluted"').and.not.include('"id_project":"000');
          expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
        });

        it(`${name} refuses strings that are too long (413, 422)`, async () => {
          const { path, body } = validCallOf();
          const caller = await highestRole(endpoint, own);
          for (const field of textFields(schemaOf(endpoint.body))) {
            const text = 'x'.repeat((field.maxLength ?? (endpoint.bodySize === 'bulk' ? 6_000_000 : 600_000)) + 1);
            const { status } = await send(caller, method, { path, body: withText(body, field.path, text) });
            expect([413, 422], field.path.join('.')).to.include(status);
          }
        });
      }
    });
  }

  it('`commandsDuring` and `mongoOperatorsIn` find a query operator that is passed to the database', async () => {
    const commands = await commandsDuring(() => User.findOne({ email: { $ne: 'canary $ne' } }).lean());
    expect(mongoOperatorsIn(commands).filter(isCanary)).to.have.lengthOf(1);
  });
});
