/** Projects: made whole or not at all, and shown with what is computed from their plan. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { ACTIVE, Project, ProjectView } from '../../models/project.ts';
import type { MembershipView } from '../../models/project-user.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { fieldsOf } from '../../view.ts';
import * as members from '../team/members.ts';

const DAY = 86_400_000;
const GRACE_DAYS = 3;
const TRIAL_DAYS = 14;

interface Plan {
  type?: string;
  trialDays?: number;
  subEnd?: Date | string;
}

const subscriptionOf = ({ type, subEnd }: Plan, now: number): boolean | '' => {
  if (type !== 'payment') return false;
  return subEnd === undefined ? '' : now < new Date(subEnd).getTime() + GRACE_DAYS * DAY;
};

/** Trial and subscription at a moment (contract a 8.6): days left are negative while the trial runs. */
export const planAt = (now: number, { createdAt, profile }: { createdAt: Date; profile: Plan }) => {
  const end = createdAt.getTime() + (profile.trialDays ?? TRIAL_DAYS) * DAY;
  return {
    trialExpired: config.TRIAL_MODE && now > end,
    trialDaysLeft: Math.floor((now - end) / DAY),
    isActiveSubscription: subscriptionOf(profile, now),
  };
};

/** True when what a plan limits, once trial mode is on, is over: it was free on trial, or was paid for (contract a 8.6, decision 40). */
export const isLapsed = (now: number, project: { createdAt: Date; profile: Plan }): boolean => {
  const { trialExpired, isActiveSubscription } = planAt(now, project);
  const { type } = project.profile;
  return (
    config.TRIAL_MODE && ((type === 'free' && trialExpired) || (type === 'payment' && isActiveSubscription === false))
  );
};

/** A project as the API shows it, and as it is stored. */
export type Shown = z.input<typeof ProjectView>;
export type Stored = Omit<Shown, 'id' | 'createdAt'> & { createdAt: Date };

/** What a View reads of a project that was made before it had a list is not there. */
const LISTS = {
  ipFilterEnabled: false,
  ipFilter: [],
  ipFilterDenyEnabled: false,
  ipFilterDeny: [],
  bannedUsers: [],
};

/** A stored project with what is computed from its plan. */
export const shown = (project: Stored): Shown => ({
  ...LISTS,
  ...project,
  id: project._id,
  ...planAt(Date.now(), { createdAt: project.createdAt, profile: project.profile }),
});

const inUse = (ids: string[]) =>
  Project.find({ _id: { $in: ids }, status: ACTIVE }, fieldsOf(ProjectView)).sort({ updatedAt: -1, _id: -1 });

/** The project as its teammates see it; 404 when it is not in use. */
export const read = async (id: string): Promise<Shown> => {
  const [project] = await inUse([id]).lean<Stored[]>();
  if (!project) throw notFound('Project not found');
  return shown(project);
};

/** A project as its events tell of it. */
export const told = (project: Stored) => ({ ...shown(project), id_project: String(project._id) });

/** Projects in use or not, for those who are told of them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]): Promise<{ key: string; shown: object }[]> => {
  const found = await Project.find({ _id: { $in: keys } }, fieldsOf(ProjectView)).lean<Stored[]>();
  return found.map((project) => ({ key: String(project._id), shown: told(project) }));
};

/** Make a project with its owner and its default department (decision 32); tells its id. */
export const create = async ({ name }: { name: string }, owner: { id: string }): Promise<string> => {
  const id_project = newId();
  await makeOnce(() => createAll({ id_project, name, createdBy: owner.id }));
  return id_project;
};

const createAll = ({ id_project, name, createdBy }: { id_project: string; name: string; createdBy: string }) =>
  inTransaction(async (session) => {
    await Project.create([{ _id: id_project, name, createdBy }], { session, ...emits('project.create') });
    const membership = { id_user: createdBy, role: 'owner', roleType: TEAM, last_login_at: new Date() };
    await ProjectUser.create([{ id_project, createdBy, ...membership }], { session });
    const department = { name: 'Default Department', routing: 'assigned', default: true };
    await Department.create([{ id_project, createdBy, ...department }], { session });
  });

type Membership = z.input<typeof MembershipView>;

/** Somebody's memberships on the team's side, each with its project in it, last changed project first (contract a 8.2). */
export const of = async (person: { id: string }): Promise<Membership[]> => {
  const mine = { id_user: person.id, roleType: TEAM, status: 'active', trashed: false } as const;
  // The one list that crosses projects: whose it is, is the border.
  const options = { anyProject: true };
  const memberships = await ProjectUser.find(mine, members.FIELDS, options).lean<members.Stored[]>();
  const byProject = new Map(memberships.map((membership) => [membership.id_project, membership]));
  const projects = await inUse([...byProject.keys()]).lean<Stored[]>();
  return projects.map((project) => {
    const membership = byProject.get(String(project._id)) as members.Stored;
    return { ...members.changed(membership), id_user: person.id, id_project: shown(project) };
  });
};
