/** fast-check commands for a project with routed conversations: one action, or several concurrent ones. */
import fc from 'fast-check';
import { times } from './fleet-fixture.ts';
import type { RoutingAction } from './routing-actions.ts';
import type { RoutingProject, RoutingProjectShape } from './routing-project.ts';
import { ALWAYS_OPEN, NEVER_OPEN } from './routing-state.ts';

/** A generator of an action that names no records: each number picks one of the existing ones. */
type ActionGenerator = (project: RoutingProject) => RoutingAction | null;

interface NamedGenerator {
  name: string;
  generate: ActionGenerator;
}

const anyNumber = fc.nat({ max: 11 });
const pickFrom = <T>(all: T[], at: number): T => all[at % all.length] as T;

const inConversation =
  (make: (where: { id_project: string; request_id: string }, project: RoutingProject) => RoutingAction) =>
  (which: number): ActionGenerator =>
  (project) => {
    const { conversations, id_project } = project;
    return conversations.length ? make({ id_project, request_id: pickFrom(conversations, which) }, project) : null;
  };

type SettingsOwner = 'teammate' | 'project' | 'department' | 'group';

const changeSettings = (
  owner: SettingsOwner,
  { id_project }: RoutingProject,
  { id = id_project, set }: { id?: string; set: object },
): RoutingAction => ({
  action: owner,
  args: { id_project, id, set },
});

/** Generators by name, from the numbers that they need. */
const actionGenerators: Record<string, (one: number, other: number) => ActionGenerator> = {
  arrive: (one) => (project) => ({
    action: 'arrive',
    args: {
      id_project: project.id_project,
      request_id: project.next(),
      department: pickFrom(project.departments, one),
    },
  }),
  accept: (one, other) =>
    inConversation((where, { users }) => ({ action: 'accept', args: { ...where, user: pickFrom(users, other) } }))(one),
  leave: (one, other) =>
    inConversation((where, { users }) => ({ action: 'leave', args: { ...where, user: pickFrom(users, other) } }))(one),
  close: inConversation((words) => ({ action: 'close', args: words })),
  reopen: inConversation((words) => ({ action: 'reopen', args: words })),
  'hand over': inConversation((words) => ({ action: 'handOver', args: words })),
  assign: (one, other) =>
    inConversation((where, { departments }) => ({
      action: 'assign',
      args: { ...where, department: pickFrom(departments, other) },
    }))(one),
  move: (one, other) =>
    inConversation((where, { departments }) => ({
      action: 'move',
      args: { ...where, department: pickFrom(departments, other) },
    }))(one),
  availability: (one, other) => (project) =>
    changeSettings('teammate', project, { id: pickFrom(project.users, one), set: { user_available: other % 3 > 0 } }),
  capacity: (one, other) => (project) =>
    changeSettings('teammate', project, { id: pickFrom(project.users, one), set: { max_assigned_chat: other % 4 } }),
  limit: (one) => (project) =>
    changeSettings('project', project, {
      set: { settings: { chat_limit_on: one % 3 > 0, max_agent_assigned_chat: one % 4 } },
    }),
  hours: (one) => (project) =>
    changeSettings('project', project, {
      set: { activeOperatingHours: one % 2 > 0, operatingHours: one % 3 ? ALWAYS_OPEN : NEVER_OPEN },
    }),
  members: (one, other) => (project) =>
    changeSettings('group', project, {
      id: pickFrom(project.groups, one),
      set: { members: project.users.filter((_, at) => (other >> (at % 4)) % 2) },
    }),
  'group in use': (one, other) => (project) =>
    changeSettings('group', project, { id: pickFrom(project.groups, one), set: { enabled: other % 3 > 0 } }),
  shares: (one, other) => (project) =>
    changeSettings('department', project, {
      id: pickFrom(project.departments, 1),
      set: { groups: project.groups.map((id_group, at) => ({ id_group, percentage: [one, other][at] })) },
    }),
  routing: (one, other) => (project) =>
    changeSettings('department', project, {
      id: pickFrom(project.departments, one),
      set: { routing: other % 3 ? 'assigned' : 'pooled' },
    }),
  serve: () => (project) => ({ action: 'serve', args: { id_project: project.id_project } }),
};

/** Weight of each action among concurrent ones. */
const WEIGHT_IN_TUMULT: Record<string, number> = { arrive: 8, close: 4, serve: 5, leave: 2, availability: 2 };

/** Weight of each action on its own. */
const WEIGHT_ALONE: Record<string, number> = {
  arrive: 2,
  close: 4,
  'hand over': 4,
  assign: 3,
  move: 3,
  availability: 3,
  leave: 2,
};

const namedGenerator = (name: string): fc.Arbitrary<NamedGenerator> =>
  fc.tuple(anyNumber, anyNumber).map(([one, other]) => ({
    name: `${name}(${one},${other})`,
    generate: actionGenerators[name]?.(one, other) as ActionGenerator,
  }));

/** There is no model: the oracle checks what was written. */
type EmptyModel = Record<string, never>;

class RoutingCommand implements fc.AsyncCommand<EmptyModel, RoutingProject> {
  readonly #generators: NamedGenerator[];
  readonly #assignsAfterwards: boolean;
  constructor(all: NamedGenerator[], served = true) {
    this.#generators = all;
    this.#assignsAfterwards = served;
  }
  check(): boolean {
    return true;
  }
  async run(_: EmptyModel, project: RoutingProject): Promise<void> {
    const actions = this.#generators.flatMap(({ generate }) => generate(project) ?? []);
    if (actions.length) await project.together(actions, { served: this.#assignsAfterwards });
  }
  toString(): string {
    return (
      this.#generators.map(({ name }) => name).join(' + ') + (this.#assignsAfterwards ? '' : ', without assignment')
    );
  }
}

/** Waiting conversations are often assigned a moment later, after another action. */
const mostlyTrue = fc.integer({ min: 0, max: 3 }).map((at) => at > 0);

const singleCommands = Object.keys(actionGenerators)
  .flatMap((name) => times(WEIGHT_ALONE[name] ?? 1, () => name))
  .map((name) =>
    fc.tuple(namedGenerator(name), fc.boolean()).map(([one, served]) => new RoutingCommand([one], served)),
  );
const inTumult = fc.oneof(
  ...Object.keys(actionGenerators).map((name) => ({
    weight: WEIGHT_IN_TUMULT[name] ?? 1,
    arbitrary: namedGenerator(name),
  })),
);
const tumult = fc.tuple(fc.array(inTumult, { minLength: 2, maxLength: 6 }), mostlyTrue);
const rush = fc.tuple(fc.array(namedGenerator('arrive'), { minLength: 2, maxLength: 6 }), mostlyTrue);
const concurrentCommand = (all: fc.Arbitrary<[NamedGenerator[], boolean]>) =>
  all.map(([each, served]) => new RoutingCommand(each, served));

/** Sequences of commands: single actions, concurrent ones, and many arrivals. */
export const commandSequences = (maxCommands: number) =>
  fc.commands(
    [...singleCommands, ...times(12, () => concurrentCommand(tumult)), ...times(16, () => concurrentCommand(rush))],
    {
      maxCommands,
      size: 'max',
    },
  );

/** Initial projects. */
export const projectShapes: fc.Arbitrary<RoutingProjectShape> = fc.record({
  capacities: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
  shares: fc.option(fc.array(anyNumber, { minLength: 2, maxLength: 2 })),
});
