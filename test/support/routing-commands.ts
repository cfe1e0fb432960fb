/** What may happen to a project whose conversations are routed, as fast-check tries it: one thing at a time, and several at once. */
import fc from 'fast-check';
import type { Deed } from './routing-verbs.ts';
import { ALWAYS, NEVER } from './routing-state.ts';
import type { Shape, World } from './routing-world.ts';
import { times } from './stage.ts';

/** A thing that happens, told without naming any record: each number picks one of those there are. */
type Happening = (world: World) => Deed | null;

interface Named {
  name: string;
  happening: Happening;
}

const any = fc.nat({ max: 11 });
const of = <T>(all: T[], at: number): T => all[at % all.length] as T;

const inConversation =
  (make: (where: { id_project: string; request_id: string }, world: World) => Deed) =>
  (which: number): Happening =>
  (world) => {
    const { conversations, id_project } = world;
    return conversations.length ? make({ id_project, request_id: of(conversations, which) }, world) : null;
  };

type Setting = 'teammate' | 'project' | 'department' | 'group';

const settled = (
  verb: Setting,
  { id_project }: World,
  { id = id_project, set }: { id?: string; set: object },
): Deed => ({
  verb,
  words: { id_project, id, set },
});

/** By name: the numbers that it needs, and what it does. */
const happenings: Record<string, (one: number, other: number) => Happening> = {
  arrive: (one) => (world) => ({
    verb: 'arrive',
    words: { id_project: world.id_project, request_id: world.next(), department: of(world.departments, one) },
  }),
  accept: (one, other) =>
    inConversation((where, { users }) => ({ verb: 'accept', words: { ...where, user: of(users, other) } }))(one),
  leave: (one, other) =>
    inConversation((where, { users }) => ({ verb: 'leave', words: { ...where, user: of(users, other) } }))(one),
  close: inConversation((words) => ({ verb: 'close', words })),
  reopen: inConversation((words) => ({ verb: 'reopen', words })),
  'hand over': inConversation((words) => ({ verb: 'handOver', words })),
  assign: (one, other) =>
    inConversation((where, { departments }) => ({
      verb: 'assign',
      words: { ...where, department: of(departments, other) },
    }))(one),
  move: (one, other) =>
    inConversation((where, { departments }) => ({
      verb: 'move',
      words: { ...where, department: of(departments, other) },
    }))(one),
  availability: (one, other) => (world) =>
    settled('teammate', world, { id: of(world.users, one), set: { user_available: other % 3 > 0 } }),
  capacity: (one, other) => (world) =>
    settled('teammate', world, { id: of(world.users, one), set: { max_assigned_chat: other % 4 } }),
  limit: (one) => (world) =>
    settled('project', world, { set: { settings: { chat_limit_on: one % 3 > 0, max_agent_assigned_chat: one % 4 } } }),
  hours: (one) => (world) =>
    settled('project', world, {
      set: { activeOperatingHours: one % 2 > 0, operatingHours: one % 3 ? ALWAYS : NEVER },
    }),
  members: (one, other) => (world) =>
    settled('group', world, {
      id: of(world.groups, one),
      set: { members: world.users.filter((_, at) => (other >> (at % 4)) % 2) },
    }),
  'group in use': (one, other) => (world) =>
    settled('group', world, { id: of(world.groups, one), set: { enabled: other % 3 > 0 } }),
  shares: (one, other) => (world) =>
    settled('department', world, {
      id: of(world.departments, 1),
      set: { groups: world.groups.map((id_group, at) => ({ id_group, percentage: [one, other][at] })) },
    }),
  routing: (one, other) => (world) =>
    settled('department', world, {
      id: of(world.departments, one),
      set: { routing: other % 3 ? 'assigned' : 'pooled' },
    }),
  serve: () => (world) => ({ verb: 'serve', words: { id_project: world.id_project } }),
};

/** How often each comes in a tumult. */
const OFTEN: Record<string, number> = { arrive: 8, close: 4, serve: 5, leave: 2, availability: 2 };

/** How often each comes alone. */
const ALONE: Record<string, number> = {
  arrive: 2,
  close: 4,
  'hand over': 4,
  assign: 3,
  move: 3,
  availability: 3,
  leave: 2,
};

const named = (name: string): fc.Arbitrary<Named> =>
  fc.tuple(any, any).map(([one, other]) => ({
    name: `${name}(${one},${other})`,
    happening: happenings[name]?.(one, other) as Happening,
  }));

/** Nothing is foretold: whatever follows is judged by what was written. */
type Model = Record<string, never>;

class Command implements fc.AsyncCommand<Model, World> {
  readonly #all: Named[];
  readonly #served: boolean;
  constructor(all: Named[], served = true) {
    this.#all = all;
    this.#served = served;
  }
  check(): boolean {
    return true;
  }
  async run(_: Model, world: World): Promise<void> {
    const deeds = this.#all.flatMap(({ happening }) => happening(world) ?? []);
    if (deeds.length) await world.together(deeds, { served: this.#served });
  }
  toString(): string {
    return this.#all.map(({ name }) => name).join(' + ') + (this.#served ? '' : ', nobody is served');
  }
}

/** Often those who wait are served a moment later, and something else comes before that. */
const soon = fc.integer({ min: 0, max: 3 }).map((at) => at > 0);

const alone = Object.keys(happenings)
  .flatMap((name) => times(ALONE[name] ?? 1, () => name))
  .map((name) => fc.tuple(named(name), fc.boolean()).map(([one, served]) => new Command([one], served)));
const inTumult = fc.oneof(
  ...Object.keys(happenings).map((name) => ({ weight: OFTEN[name] ?? 1, arbitrary: named(name) })),
);
const tumult = fc.tuple(fc.array(inTumult, { minLength: 2, maxLength: 6 }), soon);
const rush = fc.tuple(fc.array(named('arrive'), { minLength: 2, maxLength: 6 }), soon);
const several = (all: fc.Arbitrary<[Named[], boolean]>) => all.map(([each, served]) => new Command(each, served));

/** Sequences of so many commands at most: one thing alone, several at once, and many who arrive. */
export const sequences = (maxCommands: number) =>
  fc.commands([...alone, ...times(12, () => several(tumult)), ...times(16, () => several(rush))], {
    maxCommands,
    size: 'max',
  });

/** Projects to begin with. */
export const shapes: fc.Arbitrary<Shape> = fc.record({
  capacities: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
  shares: fc.option(fc.array(any, { minLength: 2, maxLength: 2 })),
});
