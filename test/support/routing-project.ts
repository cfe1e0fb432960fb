/** A small project whose conversations are routed during concurrent actions; routing-oracle.ts checks every write. */
import { randomUUID } from 'node:crypto';
import { newId } from '#shared/context.ts';
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { times } from './fleet-fixture.ts';
import type { RoutingAction } from './routing-actions.ts';
import type { RoutingFixture } from './routing-fixture.ts';
import { RoutingOracle, type RoutingStep } from './routing-oracle.ts';
import { waitUntil } from './wait-until.ts';
import type { WriteCommit } from './write-log.ts';

/** The initial settings of routing. */
export interface RoutingProjectShape {
  /** Each teammate's limit on open conversations; 0 if the limit of the project applies. */
  capacities: number[];
  /** The percentages of the groups of the second department; null for two groups without percentages. */
  shares: number[] | null;
}

const PATIENCE_SECONDS = 20;

const createRecords = async (id_project: string, { capacities, shares }: RoutingProjectShape) => {
  const [own, bot] = [{ id_project, createdBy: 'test' }, newId()];
  const users = capacities.map(() => newId());
  const groups = (shares ?? [0, 0]).map(() => newId());
  const departments = [newId(), newId(), newId()];
  const member = (id_user: string, index: number) => ({
    ...{ ...own, id_user, role: 'agent', roleType: TEAM_ROLE_TYPE },
    ...(capacities[index] ? { max_assigned_chat: capacities[index] } : {}),
  });
  const membersOf = (groupIndex: number) => users.filter((_, index) => index % groups.length === groupIndex);
  const shared = groups.map((id_group, index) => ({ id_group, ...(shares && { percentage: shares[index] }) }));
  const [first, second, third] = departments;
  await Promise.all([
    Project.create([{ _id: id_project, name: 'Routed', createdBy: 'test' }]),
    ProjectUser.insertMany(users.map(member)),
    Group.insertMany(groups.map((_id, index) => ({ ...own, _id, name: `Group ${index}`, members: membersOf(index) }))),
    Bot.insertMany([{ ...own, _id: bot, name: 'Bot' }]),
    Department.insertMany([
      { ...own, _id: first, name: 'Whole team', routing: 'assigned', default: true },
      { ...own, _id: second, name: 'Groups', routing: 'assigned', groups: shared },
      { ...own, _id: third, name: 'Bot first', routing: 'assigned', id_bot: bot, id_group: groups[0] },
    ]),
  ]);
  return { users, groups, departments };
};

/** Creates a project of this shape; an oracle checks it from its first record on. */
export const aRoutingProject = async (shape: RoutingProjectShape, { log, processes }: RoutingFixture) => {
  const id_project = newId();
  const oracle = new RoutingOracle();
  const steps: RoutingStep[] = [];
  let seen = 0;
  log.listen(id_project, (commit: WriteCommit) => {
    oracle.applyCommit(commit);
    const step = oracle.state.project?.attributes?.step ?? 0;
    if (step > seen) {
      seen = step;
      oracle.begin(steps[step - 1] as RoutingStep);
    }
  });
  const records = await createRecords(id_project, shape);
  const beginStep = async (step: RoutingStep): Promise<void> => {
    steps.push(step);
    await Project.updateOne({ _id: id_project }, { $set: { attributes: { step: steps.length } } });
  };
  const conversations: string[] = [];
  const reservesAgents = ({ action }: RoutingAction) =>
    ['arrive', 'assign', 'move', 'handOver', 'serve'].includes(action);

  /**
   * Performs all actions concurrently, each in one of two processes. Afterwards, one or both processes assign waiting
   * conversations, unless `assignAfterwards` is false.
   */
  const runTogether = async (actions: RoutingAction[], { assignAfterwards = true } = {}): Promise<void> => {
    const rerouted = actions.flatMap(({ action, args }) =>
      ['assign', 'move', 'handOver'].includes(action) ? [(args as { request_id: string }).request_id] : [],
    );
    await beginStep({
      concurrentReservations: actions.filter(reservesAgents).length,
      isExclusive: actions.length === 1,
      rerouted,
      endsQuiet: false,
    });
    await Promise.all(actions.map((action, index) => processes.act(index, action)));
    if (!assignAfterwards) return;
    const workers = 1 + (conversations.length % 2);
    await beginStep({ concurrentReservations: workers, isExclusive: workers === 1, rerouted: [], endsQuiet: true });
    await Promise.all(times(workers, (index) => processes.act(index, { action: 'serve', args: { id_project } })));
  };
  return {
    ...{ ...records, id_project, oracle, conversations, runTogether: runTogether },
    /** Returns the id for a new conversation. */
    addConversation: (): string => {
      const request_id = randomUUID();
      conversations.push(request_id);
      return request_id;
    },
    /** Waits until all writes are checked; returns the violated rules. */
    end: async (): Promise<string[]> => {
      await beginStep({ concurrentReservations: 0, isExclusive: true, rerouted: [], endsQuiet: false });
      await waitUntil(() => seen === steps.length, PATIENCE_SECONDS);
      log.stopListening(id_project);
      return oracle.violations;
    },
  };
};

/** A project checked by an oracle. */
export type RoutingProject = Awaited<ReturnType<typeof aRoutingProject>>;
