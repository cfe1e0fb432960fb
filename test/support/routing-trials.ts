/** Trials of routing: sequences of actions in small projects, several in parallel. */
import fc from 'fast-check';
import { times } from './fleet-fixture.ts';
import type { RoutingAction, RoutingActionName } from './routing-actions.ts';
import { commandSequences, projectShapes } from './routing-commands.ts';
import type { RoutingFixture } from './routing-fixture.ts';
import { aRoutingProject, type RoutingProject } from './routing-project.ts';

const PARALLEL_RUNS = 4;

/** The size of a trial: the number of sequences, and the maximum number of commands in each. */
interface RoutingTrial {
  runs: number;
  commands: number;
  /** Whether a failing sequence is shrunk to a minimal one, which takes a long time. */
  shrink?: boolean;
  seed?: number;
}

/** Totals of a trial. */
interface RoutingTrialResult {
  sequences: number;
  commands: number;
  assigned: number;
  /** The maximum number of earlier conversations that one assignment overtook, because of concurrent reservations. */
  mostOvertaken: number;
}

const expectNoViolations = (violations: string[]): void => {
  if (violations.length) throw new Error(`Violated rules of assignment:\n${violations.join('\n')}`);
};

/** Checks a property in parallel runs, so that MongoDB and the test process are busy at the same time. */
const runInParallel = async <T>(
  { runs, seed, shrink = false }: Omit<RoutingTrial, 'commands'>,
  property: () => fc.IAsyncProperty<T>,
): Promise<void> => {
  const run = (index: number) =>
    fc.assert(property(), {
      numRuns: Math.ceil(runs / PARALLEL_RUNS),
      endOnFailure: !shrink,
      ...(seed === undefined ? {} : { seed: seed + index }),
    });
  const results = await Promise.allSettled(times(PARALLEL_RUNS, run));
  for (const { reason } of results.filter((each) => each.status === 'rejected')) throw reason;
};

/** Runs random sequences of commands. Throws for the first sequence that violates a rule. */
export const runRoutingTrial = async (
  fixture: RoutingFixture,
  { commands, ...trial }: RoutingTrial,
): Promise<RoutingTrialResult> => {
  const totals: RoutingTrialResult = { sequences: 0, commands: 0, assigned: 0, mostOvertaken: 0 };
  await runInParallel(trial, () =>
    fc.asyncProperty(projectShapes, commandSequences(commands), async (shape, list) => {
      const project = await aRoutingProject(shape, fixture);
      await fc.asyncModelRun(() => ({ model: {}, real: project }), list);
      const violations = await project.end();
      const { assigned } = project.oracle;
      totals.sequences += 1;
      totals.commands += [...list].length;
      totals.assigned += assigned.length;
      totals.mostOvertaken = Math.max(totals.mostOvertaken, ...assigned.map(({ overtaken: passed }) => passed));
      expectNoViolations(violations);
    }),
  );
  return totals;
};

const weights = fc
  .array(fc.nat({ max: 100 }), { minLength: 2, maxLength: 5 })
  .filter((shares) => shares.some((share) => share > 0));

/** Bursts of concurrent arrivals and closes. */
const bursts = fc.array(fc.record({ arriving: fc.integer({ min: 1, max: 16 }), closing: fc.nat({ max: 4 }) }), {
  minLength: 1,
  maxLength: 4,
});

/**
 * Describes each moment at which a group deviated from its share by at least as many conversations as there are groups.
 */
const shareViolations = ({ oracle, departments }: RoutingProject, shares: number[]): string[] =>
  oracle.quietAfter.flatMap((count) => {
    const off = oracle.shareDeviation(departments[1] as string, count);
    return off < shares.length
      ? []
      : [
          `after ${count} assignments, one of the groups with the shares ${shares.join()} is off by ${off} conversations`,
        ];
  });

/** Runs bursts in departments with group percentages; agents have no limits. Returns the number of assignments. */
export const runShareTrial = async (
  fixture: RoutingFixture,
  trial: Omit<RoutingTrial, 'commands'>,
): Promise<number> => {
  let assignedCount = 0;
  await runInParallel(trial, () =>
    fc.asyncProperty(weights, bursts, async (shares, all) => {
      const project = await aRoutingProject({ capacities: shares.map(() => 0), shares }, fixture);
      for (const { arriving, closing } of all) await project.runTogether(aBurst(project, arriving, closing));
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
      args: { id_project, request_id: project.addConversation(), department: departments[1] as string },
    }),
  );
  return [...coming, ...ending];
};

/** A project for a scripted trial. */
type ScriptedProject = RoutingProject & {
  act(action: RoutingActionName, args: object, how?: { assignAfterwards: boolean }): Promise<void>;
};

/** Runs a script of single actions in a new project; throws if a rule is violated. */
export const runScript = async (
  fixture: RoutingFixture,
  capacities: number[],
  script: (project: ScriptedProject) => Promise<void>,
): Promise<void> => {
  const project = await aRoutingProject({ capacities, shares: null }, fixture);
  const act: ScriptedProject['act'] = (action, args, how) =>
    project.runTogether([{ action, args: { id_project: project.id_project, ...args } } as RoutingAction], how);
  await script({ ...project, act });
  expectNoViolations(await project.end());
};
