/** What every endpoint owes its callers, whatever it does; a new resource is covered from its first line. */
import { expect } from 'chai';
import { ACTIVE, Project } from '#shared/models/project.ts';
import { User } from '#shared/models/user.ts';
import { ROLES } from '../../api/http/actor.ts';
import { type Endpoint, type Method, routesOf } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { api, type Caller, type Reply } from '../support/api.ts';
import { commandsDuring, operatorsIn } from '../support/commands.ts';
import { aProject, aTeammate, aVisitor } from '../support/people.ts';
import { textFields, withText } from '../support/sample.ts';
import { schemaOf, UNKNOWN, validCall } from '../support/valid-call.ts';

type World = Awaited<ReturnType<typeof aProject>>;
type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const send = (
  caller: Caller | undefined,
  method: Method,
  { path, body }: { path: string; body?: unknown },
): Promise<Reply> => api(caller).call(method.toUpperCase() as Verb, path, body);

const scoped = (endpoint: Endpoint) => endpoint.path.includes(':project_id');
const identified = (endpoint: Endpoint) => /:(?!project_id)/.test(endpoint.path);

/** Somebody whose role is one below what the endpoint asks for. */
const tooLow = async ({ role }: Endpoint, project: string): Promise<Caller | null> => {
  const lower = ROLES[ROLES.indexOf(role as (typeof ROLES)[number]) - 1];
  if (!lower) return null;
  return lower === 'guest' ? aVisitor(project) : aTeammate(project, lower);
};

/** What is said of a record that is not there: 404, but where the contract has its own way. */
const absent = ({ path, method }: Endpoint): number[] => {
  if (method === 'get' && path.includes('/labels/')) return [200]; // another language stands in
  if (path.includes('/unanswered/')) return [403, 404];
  if (path.startsWith('/v3/public/')) return [404];
  return path.endsWith('/:request_id/messages') ? [200, 422] : [404]; // an unknown conversation is empty, or opened
};

const OPERATORS: unknown[] = [
  { $ne: 'canary $ne' },
  { $gt: 'canary $gt' },
  { $regex: 'canary $regex' },
  { $where: 'canary $where' },
  { $expr: 'canary $expr' },
  { $in: ['canary $in'] },
  ['canary'],
  [{ $ne: 'canary $ne' }],
];

const isCanary = ({ key, value }: { key: string; value: unknown }): boolean => [value].flat()[0] === `canary ${key}`;

const PROTECTED = {
  unknown_field: 1,
  _id: UNKNOWN,
  id_project: UNKNOWN,
  createdBy: 'me',
  role: 'owner',
  trashed: true,
  isAuthenticated: true,
  __v: 99,
  $set: { name: 'x' },
  constructor: { prototype: { polluted: true } },
};
const TRAPS = JSON.parse(`{"__proto__":{"polluted":true},${JSON.stringify(PROTECTED).slice(1)}`) as object;

describe('Every endpoint', () => {
  let world: World;
  let other: World;

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
  });
  beforeEach(async () => {
    // Some endpoints end their project.
    if (!(await Project.exists({ _id: world.project.id, status: ACTIVE }))) world = await aProject();
  });

  for (const endpoint of endpoints) {
    const { method, path, role } = endpoint;

    describe(`${method.toUpperCase()} ${path}`, () => {
      const valid = (id?: string) => validCall(endpoint, world.project.id, id);

      it('answers what it declares', async () => {
        const { status } = await send(world.owner, method, valid());
        expect(status).to.be.lessThan(500);
      });

      if (role !== 'none') {
        it('asks for credentials (401)', async () => {
          for (const route of routesOf(endpoint)) {
            const reply = await send(undefined, route.method, validCall({ ...endpoint, ...route }, world.project.id));
            expect(reply).to.deep.include({ status: 401 });
            expect(reply.headers['www-authenticate']).to.match(/^Basic realm=/);
          }
        });
      }

      if (role !== 'none' && role !== 'any') {
        it('refuses a role that is too low (403, A2)', async () => {
          const caller = scoped(endpoint) ? await tooLow(endpoint, world.project.id) : world.guest;
          if (!caller) return;
          for (const route of routesOf(endpoint)) {
            const reply = await send(caller, route.method, validCall({ ...endpoint, ...route }, world.project.id));
            expect(reply.status).to.equal(403);
            expect(reply.body.code).to.equal('ROLE_TOO_LOW');
          }
        });
      }

      if (scoped(endpoint) && role !== 'none') {
        it('refuses who is no member, and tells no unknown project from a foreign one (403)', async () => {
          const foreign = await send(other.owner, method, valid());
          const unknown = await send(other.owner, method, validCall(endpoint, UNKNOWN));
          expect(foreign).to.deep.include({ status: 403 });
          expect(unknown).to.deep.include({ status: 403, text: foreign.text });
        });
      }

      if (identified(endpoint)) {
        it("knows no other project's records (404)", async () => {
          // The id of a project is that of its first knowledge base: a record that does exist elsewhere.
          for (const id of [other.project.id, UNKNOWN]) {
            const { status } = await send(world.owner, method, valid(id));
            expect(absent(endpoint)).to.include(status);
          }
        });
      }

      it('never hands an operator to the database (A5)', async () => {
        const { path, body } = valid();
        const inBody = textFields(schemaOf(endpoint.body)).flatMap((field) =>
          OPERATORS.map((operator) => ({ path, body: withText(body, field.path, operator) })),
        );
        const names = Object.keys(schemaOf(endpoint.query).properties ?? {});
        const inQuery = names.flatMap((name) =>
          ['$ne', '$regex', '$where'].map((key) => ({
            path: `${path}${path.includes('?') ? '&' : '?'}${name}[${key}]=canary ${key}&${name}=a&${name}=b`.replaceAll(
              ' ',
              '%20',
            ),
            body,
          })),
        );
        const statuses: number[] = [];
        const commands = await commandsDuring(async () => {
          for (const call of [...inBody, ...inQuery]) statuses.push((await send(world.owner, method, call)).status);
        });
        expect(statuses.filter((status) => status >= 500)).to.deep.equal([]);
        expect(operatorsIn(commands).filter(isCanary)).to.deep.equal([]);
      });

      if (endpoint.body) {
        it('takes no notice of fields that are not its own (A3, A16)', async () => {
          const { path, body } = valid();
          const trapped = { ...TRAPS, ...(body as object) };
          const reply = await api(world.owner).call(method.toUpperCase() as Verb, path, trapped);
          expect(reply.status).to.be.lessThan(500);
          expect(reply.text).to.not.include('"polluted"').and.not.include('"id_project":"000');
          expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
        });

        it('refuses what is too large (413, 422)', async () => {
          const { path, body } = valid();
          for (const field of textFields(schemaOf(endpoint.body))) {
            const text = 'x'.repeat((field.maxLength ?? (endpoint.size === 'bulk' ? 6_000_000 : 600_000)) + 1);
            const { status } = await send(world.owner, method, { path, body: withText(body, field.path, text) });
            expect([413, 422], field.path.join('.')).to.include(status);
          }
        });
      }
    });
  }

  it('is watched by a watch that does see operators', async () => {
    const commands = await commandsDuring(() => User.findOne({ email: { $ne: 'canary $ne' } }).lean());
    expect(operatorsIn(commands).filter(isCanary)).to.have.lengthOf(1);
  });
});
