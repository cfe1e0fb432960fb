/** Trials of routing: sequences of happenings in small projects, several of them side by side. */
import fc from 'fast-check';
import type { Stage } from './routing-stage.ts';
import { sequences, shapes } from './routing-commands.ts';
import type { Deed, Verb } from './routing-verbs.ts';
import { aWorld, type World } from './routing-world.ts';
import { times } from './stage.ts';

const LANES = 4;

/** How many sequences are tried, and how many commands each has at most. */
interface Trial {
  runs: number;
  commands: number;
  /** Looks for the shortest sequence that breaks a promise, which takes long. */
  shrink?: boolean;
  seed?: number;
}

/** What was tried. */
interface Tried {
  sequences: number;
  commands: number;
  assigned: number;
  /** The most conversations that one passed while others were being claimed. */
  passed: number;
}

const expectKept = (violations: string[]): void => {
  if (violations.length) throw new Error(`Broken promises:\n${violations.join('\n')}`);
};

/** Try a property in as many lanes side by side as keep both processes busy. */
const inLanes = async <T>(
  { runs, seed, shrink = false }: Omit<Trial, 'commands'>,
  property: () => fc.IAsyncProperty<T>,
): Promise<void> => {
  const lane = (at: number) =>
    fc.assert(property(), {
      numRuns: Math.ceil(runs / LANES),
      endOnFailure: !shrink,
      ...(seed === undefined ? {} : { seed: seed + at }),
    });
  const lanes = await Promise.allSettled(times(LANES, lane));
  for (const { reason } of lanes.filter((each) => each.status === 'rejected')) throw reason;
};

/** Try so many sequences; throws with one that breaks a promise. */
export const tryRouting = async (stage: Stage, { commands, ...trial }: Trial): Promise<Tried> => {
  const tried: Tried = { sequences: 0, commands: 0, assigned: 0, passed: 0 };
  await inLanes(trial, () =>
    fc.asyncProperty(shapes, sequences(commands), async (shape, list) => {
      const world = await aWorld(shape, stage);
      await fc.asyncModelRun(() => ({ model: {}, real: world }), list);
      const violations = await world.end();
      const { assigned } = world.oracle;
      tried.sequences += 1;
      tried.commands += [...list].length;
      tried.assigned += assigned.length;
      tried.passed = Math.max(tried.passed, ...assigned.map(({ passed }) => passed));
      expectKept(violations);
    }),
  );
  return tried;
};

const weights = fc
  .array(fc.nat({ max: 100 }), { minLength: 2, maxLength: 5 })
  .filter((shares) => shares.some((share) => share > 0));

/** So many arrive at once, and then so many are closed. */
const bursts = fc.array(fc.record({ arriving: fc.integer({ min: 1, max: 16 }), closing: fc.nat({ max: 4 }) }), {
  minLength: 1,
  maxLength: 4,
});

/** A group that is off its share, after any number of conversations, by as many as there are groups. */
const unfair = ({ oracle, departments }: World, shares: number[]): string[] =>
  oracle.quietAfter.flatMap((count) => {
    const off = oracle.offBy(departments[1] as string, count);
    return off < shares.length ? [] : [`after ${count} conversations a group of ${shares.join()} is off by ${off}`];
  });

/** Try so many departments whose groups share by percentages and always have room; how many conversations they were given. */
export const tryShares = async (stage: Stage, trial: Omit<Trial, 'commands'>): Promise<number> => {
  let given = 0;
  await inLanes(trial, () =>
    fc.asyncProperty(weights, bursts, async (shares, all) => {
      const world = await aWorld({ capacities: shares.map(() => 0), shares }, stage);
      for (const { arriving, closing } of all) await world.together(aBurst(world, arriving, closing));
      const violations = await world.end();
      given += world.oracle.assigned.length;
      expectKept([...violations, ...unfair(world, shares)]);
    }),
  );
  return given;
};

const aBurst = (world: World, arriving: number, closing: number): Deed[] => {
  const { id_project, departments, conversations } = world;
  const ending = conversations.slice(0, closing).map(
    (request_id): Deed => ({
      verb: 'close',
      words: { id_project, request_id },
    }),
  );
  const coming = times(
    arriving,
    (): Deed => ({
      verb: 'arrive',
      words: { id_project, request_id: world.next(), department: departments[1] as string },
    }),
  );
  return [...coming, ...ending];
};

/** A world as a script sees it. */
type Told = World & {
  act(verb: Verb, words: object, how?: { served: boolean }): Promise<void>;
};

/** Try one script, each deed alone. */
export const tryScript = async (
  stage: Stage,
  capacities: number[],
  script: (told: Told) => Promise<void>,
): Promise<void> => {
  const world = await aWorld({ capacities, shares: null }, stage);
  const act: Told['act'] = (verb, words, how) =>
    world.together([{ verb, words: { id_project: world.id_project, ...words } } as Deed], how);
  await script({ ...world, act });
  expectKept(await world.end());
};
