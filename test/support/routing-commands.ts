/**
 * fast-check commands for a project whose conversations are routed. A command is one action, or several concurrent
 * actions.
 */
import fc from 'fast-check';
import { times } from './fleet-fixture.ts';
import type { RoutingAction } from './routing-actions.ts';
import type { RoutingProject, RoutingProjectShape } from './routing-project.ts';
import { ALWAYS_OPEN, NEVER_OPEN } from './routing-state.ts';

/** Makes an action for the records that a project has when the command runs; null if it has no suitable record. */
type ActionGenerator = (project: RoutingProject) => RoutingAction | null;

interface NamedGenerator {
  name: string;
  generate: ActionGenerator;
}

const anyNumber = fc.nat({ max: 11 });
const pickFrom = <T>(all: T[], number: number): T => all[number % all.length] as T;

const inConversation =
  (make: (conversation: { id_project: string; request_id: string }, project: RoutingProject) => RoutingAction) =>
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

/** Generators by name; each number picks one of the existing records or a setting. */
const actionGenerators: Record<string, (one: number, other: number) => ActionGenerator> = {
  arrive: (one) => (project) => ({
    action: 'arrive',
    args: {
      id_project: project.id_project,
      request_id: project.addConversation(),
      department: pickFrom(project.departments, one),
    },
  }),
  accept: (one, other) =>
    inConversation((conversation, { users }) => ({
      action: 'accept',
      args: { ...conversation, user: pickFrom(users, other) },
    }))(one),
  leave: (one, other) =>
    inConversation((conversation, { users }) => ({
      action: 'leave',
      args: { ...conversation, user: pickFrom(users, other) },
    }))(one),
  close: inConversation((conversation) => ({ action: 'close', args: conversation })),
  reopen: inConversation((conversation) => ({ action: 'reopen', args: conversation })),
  'hand over': inConversation((conversation) => ({ action: 'handOver', args: conversation })),
  assign: (one, other) =>
    inConversation((conversation, { departments }) => ({
      action: 'assign',
      args: { ...conversation, department: pickFrom(departments, other) },
    }))(one),
  move: (one, other) =>
    inConversation((conversation, { departments }) => ({
      action: 'move',
      args: { ...conversation, department: pickFrom(departments, other) },
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
      set: { members: project.users.filter((_, index) => (other >> (index % 4)) % 2) },
    }),
  'group in use': (one, other) => (project) =>
    changeSettings('group', project, { id: pickFrom(project.groups, one), set: { enabled: other % 3 > 0 } }),
  shares: (one, other) => (project) =>
    changeSettings('department', project, {
      id: pickFrom(project.departments, 1),
      set: { groups: project.groups.map((id_group, index) => ({ id_group, percentage: [one, other][index] })) },
    }),
  routing: (one, other) => (project) =>
    changeSettings('department', project, {
      id: pickFrom(project.departments, one),
      set: { routing: other % 3 ? 'assigned' : 'pooled' },
    }),
  serve: () => (project) => ({ action: 'serve', args: { id_project: project.id_project } }),
};

/** The weight of each action in concurrent commands; 1 by default. */
const CONCURRENT_WEIGHTS: Record<string, number> = { arrive: 8, close: 4, serve: 5, leave: 2, availability: 2 };

/** The weight of each action in single commands; 1 by default. */
const SINGLE_WEIGHTS: Record<string, number> = {
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

/** fast-check expects a model; here routing-oracle.ts checks the writes instead. */
type EmptyModel = Record<string, never>;

class RoutingCommand implements fc.AsyncCommand<EmptyModel, RoutingProject> {
  readonly #generators: NamedGenerator[];
  readonly #assignsAfterwards: boolean;
  constructor(all: NamedGenerator[], assignAfterwards = true) {
    this.#generators = all;
    this.#assignsAfterwards = assignAfterwards;
  }
  check(): boolean {
    return true;
  }
  async run(_: EmptyModel, project: RoutingProject): Promise<void> {
    const actions = this.#generators.flatMap(({ generate }) => generate(project) ?? []);
    if (actions.length) await project.runTogether(actions, { assignAfterwards: this.#assignsAfterwards });
  }
  toString(): string {
    return (
      this.#generators.map(({ name }) => name).join(' + ') + (this.#assignsAfterwards ? '' : ', without assignment')
    );
  }
}

/** Usually, waiting conversations are assigned right after the actions, but sometimes only after a later command. */
const mostlyTrue = fc.integer({ min: 0, max: 3 }).map((number) => number > 0);

const singleCommands = Object.keys(actionGenerators)
  .flatMap((name) => times(SINGLE_WEIGHTS[name] ?? 1, () => name))
  .map((name) =>
    fc
      .tuple(namedGenerator(name), fc.boolean())
      .map(([one, assignAfterwards]) => new RoutingCommand([one], assignAfterwards)),
  );
const weightedAction = fc.oneof(
  ...Object.keys(actionGenerators).map((name) => ({
    weight: CONCURRENT_WEIGHTS[name] ?? 1,
    arbitrary: namedGenerator(name),
  })),
);
const concurrentActions = fc.tuple(fc.array(weightedAction, { minLength: 2, maxLength: 6 }), mostlyTrue);
const concurrentArrivals = fc.tuple(fc.array(namedGenerator('arrive'), { minLength: 2, maxLength: 6 }), mostlyTrue);
const concurrentCommand = (all: fc.Arbitrary<[NamedGenerator[], boolean]>) =>
  all.map(([each, assignAfterwards]) => new RoutingCommand(each, assignAfterwards));

/** Sequences of commands: single actions, concurrent actions, and concurrent arrivals. */
export const commandSequences = (maxCommands: number) =>
  fc.commands(
    [
      ...singleCommands,
      ...times(12, () => concurrentCommand(concurrentActions)),
      ...times(16, () => concurrentCommand(concurrentArrivals)),
    ],
    {
      maxCommands,
      size: 'max',
    },
  );

/** Initial settings of projects. */
export const projectShapes: fc.Arbitrary<RoutingProjectShape> = fc.record({
  capacities: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
  shares: fc.option(fc.array(anyNumber, { minLength: 2, maxLength: 2 })),
});
