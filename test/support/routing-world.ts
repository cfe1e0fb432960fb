/** Small projects whose conversations are routed while anything happens to them, and every write of them is judged. */
import { randomUUID } from 'node:crypto';
import { newId } from '#shared/context.ts';
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser, TEAM } from '#shared/models/project-user.ts';
import { Oracle, type Step } from './routing-oracle.ts';
import type { Stage } from './routing-stage.ts';
import type { Deed } from './routing-verbs.ts';
import { times } from './stage.ts';
import { until } from './until.ts';
import type { Commit } from './write-log.ts';

/** What routing is made of at the start. */
export interface Shape {
  /** Most open conversations of each teammate; 0 for as many as the project allows. */
  capacities: number[];
  /** Shares of the groups of the second department; where there are none, its two groups are as one. */
  shares: number[] | null;
}

const PATIENCE = 20;

const store = async (id_project: string, { capacities, shares }: Shape) => {
  const [own, bot] = [{ id_project, createdBy: 'test' }, newId()];
  const users = capacities.map(() => newId());
  const groups = (shares ?? [0, 0]).map(() => newId());
  const departments = [newId(), newId(), newId()];
  const member = (id_user: string, at: number) => ({
    ...{ ...own, id_user, role: 'agent', roleType: TEAM },
    ...(capacities[at] ? { max_assigned_chat: capacities[at] } : {}),
  });
  const membersOf = (at: number) => users.filter((_, place) => place % groups.length === at);
  const shared = groups.map((id_group, at) => ({ id_group, ...(shares && { percentage: shares[at] }) }));
  const [first, second, third] = departments;
  await Promise.all([
    Project.create([{ _id: id_project, name: 'Routed', createdBy: 'test' }]),
    ProjectUser.insertMany(users.map(member)),
    Group.insertMany(groups.map((_id, at) => ({ ...own, _id, name: `Group ${at}`, members: membersOf(at) }))),
    Bot.insertMany([{ ...own, _id: bot, name: 'Bot' }]),
    Department.insertMany([
      { ...own, _id: first, name: 'Whole team', routing: 'assigned', default: true },
      { ...own, _id: second, name: 'Groups', routing: 'assigned', groups: shared },
      { ...own, _id: third, name: 'Bot first', routing: 'assigned', id_bot: bot, id_group: groups[0] },
    ]),
  ]);
  return { users, groups, departments };
};

/** A project of that shape, watched from its first record on. */
export const aWorld = async (shape: Shape, { log, hands }: Stage) => {
  const id_project = newId();
  const oracle = new Oracle();
  const steps: Step[] = [];
  let seen = 0;
  log.listen(id_project, (commit: Commit) => {
    oracle.take(commit);
    const step = oracle.state.project?.attributes?.step ?? 0;
    if (step > seen) {
      seen = step;
      oracle.begin(steps[step - 1] as Step);
    }
  });
  const parts = await store(id_project, shape);
  const mark = async (step: Step): Promise<void> => {
    steps.push(step);
    await Project.updateOne({ _id: id_project }, { $set: { attributes: { step: steps.length } } });
  };
  const conversations: string[] = [];
  const claims = ({ verb }: Deed) => ['arrive', 'assign', 'move', 'handOver', 'serve'].includes(verb);

  /** Do all of this at once, in either process; afterwards, unless it is put off, one process or both serve those who wait. */
  const together = async (deeds: Deed[], { served = true } = {}): Promise<void> => {
    const rerouted = deeds.flatMap(({ verb, words }) =>
      ['assign', 'move', 'handOver'].includes(verb) ? [(words as { request_id: string }).request_id] : [],
    );
    await mark({ claimers: deeds.filter(claims).length, alone: deeds.length === 1, rerouted, quiet: false });
    await Promise.all(deeds.map((deed, at) => hands.act(at, deed)));
    if (!served) return;
    const workers = 1 + (conversations.length % 2);
    await mark({ claimers: workers, alone: workers === 1, rerouted: [], quiet: true });
    await Promise.all(times(workers, (hand) => hands.act(hand, { verb: 'serve', words: { id_project } })));
  };
  return {
    ...{ ...parts, id_project, oracle, conversations, together },
    /** A conversation that does not exist yet. */
    next: (): string => {
      const request_id = randomUUID();
      conversations.push(request_id);
      return request_id;
    },
    /** Once all that was written is judged. */
    end: async (): Promise<string[]> => {
      await mark({ claimers: 0, alone: true, rerouted: [], quiet: false });
      await until(() => seen === steps.length, PATIENCE);
      log.forget(id_project);
      return oracle.violations;
    },
  };
};

/** A project that is watched. */
export type World = Awaited<ReturnType<typeof aWorld>>;
