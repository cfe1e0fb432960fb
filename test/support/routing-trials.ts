/** Trials of routing: sequences of actions in small projects, several in parallel. */
import fc from 'fast-check';
import { times } from './fleet-fixture.ts';
import type { RoutingAction, RoutingActionName } from './routing-actions.ts';
import { commandSequences, projectShapes } from './routing-commands.ts';
import type { RoutingFixture } from './routing-fixture.ts';
import { aRoutingProject, type RoutingProject } from './routing-project.ts';

const PARALLEL_RUNS = 4;

/** The number of sequences, and the maximum of commands of each. */
interface RoutingTrial {
  runs: number;
  commands: number;
  /** Shrinks a failing sequence, which takes long. */
  shrink?: boolean;
  seed?: number;
}

/** Counts of a trial. */
interface RoutingTrialResult {
  sequences: number;
  commands: number;
  assigned: number;
  /** The maximum of earlier conversations that one passed during concurrent reservations. */
  mostOvertaken: number;
}

const expectNoViolations = (violations: string[]): void => {
  if (violations.length) throw new Error(`Broken promises:\n${violations.join('\n')}`);
};

/** Runs a property in parallel, enough to keep both processes busy. */
const runInParallel = async <T>(
  { runs, seed, shrink = false }: Omit<RoutingTrial, 'commands'>,
  property: () => fc.IAsyncProperty<T>,
): Promise<void> => {
  const run = (at: number) =>
    fc.assert(property(), {
      numRuns: Math.ceil(runs / PARALLEL_RUNS),
      endOnFailure: !shrink,
      ...(seed === undefined ? {} : { seed: seed + at }),
    });
  const results = await Promise.allSettled(times(PARALLEL_RUNS, run));
  for (const { reason } of results.filter((each) => each.status === 'rejected')) throw reason;
};

/** Runs random sequences; throws with one that violates a rule. */
export const runRoutingTrial = async (
  stage: RoutingFixture,
  { commands, ...trial }: RoutingTrial,
): Promise<RoutingTrialResult> => {
  const tried: RoutingTrialResult = { sequences: 0, commands: 0, assigned: 0, mostOvertaken: 0 };
  await runInParallel(trial, () =>
    fc.asyncProperty(projectShapes, commandSequences(commands), async (shape, list) => {
      const project = await aRoutingProject(shape, stage);
      await fc.asyncModelRun(() => ({ model: {}, real: project }), list);
      const violations = await project.end();
      const { assigned } = project.oracle;
      tried.sequences += 1;
      tried.commands += [...list].length;
      tried.assigned += assigned.length;
      tried.mostOvertaken = Math.max(tried.mostOvertaken, ...assigned.map(({ overtaken: passed }) => passed));
      expectNoViolations(violations);
    }),
  );
  return tried;
};

const weights = fc
  .array(fc.nat({ max: 100 }), { minLength: 2, maxLength: 5 })
  .filter((shares) => shares.some((share) => share > 0));

/** Concurrent arrivals, followed by closes. */
const bursts = fc.array(fc.record({ arriving: fc.integer({ min: 1, max: 16 }), closing: fc.nat({ max: 4 }) }), {
  minLength: 1,
  maxLength: 4,
});

/**
 * Violations: groups whose deviation from their share reaches the number of groups, after any number of conversations.
 */
const shareViolations = ({ oracle, departments }: RoutingProject, shares: number[]): string[] =>
  oracle.quietAfter.flatMap((count) => {
    const off = oracle.shareDeviation(departments[1] as string, count);
    return off < shares.length ? [] : [`after ${count} conversations a group of ${shares.join()} is off by ${off}`];
  });

/** Runs departments whose groups have percentages and no limits; returns the number of assigned conversations. */
export const runShareTrial = async (stage: RoutingFixture, trial: Omit<RoutingTrial, 'commands'>): Promise<number> => {
  let assignedCount = 0;
  await runInParallel(trial, () =>
    fc.asyncProperty(weights, bursts, async (shares, all) => {
      const project = await aRoutingProject({ capacities: shares.map(() => 0), shares }, stage);
      for (const { arriving, closing } of all) await project.together(aBurst(project, arriving, closing));
      const violations = await project.end();
      assignedCount += project.oracle.assigned.length;
      expectNoViolations([...violations, ...shareViolations(project, shares)]);
    }),
  );
  return assignedCount;
};

const aBurst = (project: RoutingProject, arriving: number, closing: number): RoutingAction[] => {
  const { id_project, departments, conversations } = project;
  const ending = conversations.slice(0, closing).map(
    (request_id): RoutingAction => ({
      action: 'close',
      args: { id_project, request_id },
    }),
  );
  const coming = times(
    arriving,
    (): RoutingAction => ({
      action: 'arrive',
      args: { id_project, request_id: project.next(), department: departments[1] as string },
    }),
  );
  return [...coming, ...ending];
};

/** A project for a scripted trial. */
type ScriptedProject = RoutingProject & {
  act(action: RoutingActionName, args: object, how?: { served: boolean }): Promise<void>;
};

/** Runs one script, one action at a time. */
export const runScript = async (
  stage: RoutingFixture,
  capacities: number[],
  script: (project: ScriptedProject) => Promise<void>,
): Promise<void> => {
  const project = await aRoutingProject({ capacities, shares: null }, stage);
  const act: ScriptedProject['act'] = (action, args, how) =>
    project.together([{ action, args: { id_project: project.id_project, ...args } } as RoutingAction], how);
  await script({ ...project, act });
  expectNoViolations(await project.end());
};
