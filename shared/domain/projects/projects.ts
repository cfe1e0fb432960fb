/** Projects: creation, reading, and the state of their billing plan. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { notFound } from '../../errors.ts';
import { Bot, IDENTITY_BOT_TYPE } from '../../models/bot.ts';
import { Department } from '../../models/department.ts';
import { PROJECT_ACTIVE, Project, ProjectView } from '../../models/project.ts';
import {
  ACTIVE_MEMBER,
  type MembershipView,
  ProjectUser,
  type StoredMembership,
  TEAM_ROLE_TYPE,
  TEAMMATE_FIELDS,
  updateView,
} from '../../models/project-user.ts';
import { Trigger } from '../../models/trigger.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { defaultBuiltInTriggers } from '../../triggers/built-in-triggers.ts';
import { projectionOf } from '../../wire/view.ts';

const DAY_MS = 86_400_000;
const GRACE_DAYS = 3;
const TRIAL_DAYS = 14;

interface BillingPlan {
  type?: string;
  trialDays?: number;
  subEnd?: Date | string;
}

const subscriptionState = ({ type, subEnd }: BillingPlan, now: number): boolean | '' => {
  if (type !== 'payment') return false;
  return subEnd === undefined ? '' : now < new Date(subEnd).getTime() + GRACE_DAYS * DAY_MS;
};

/**
 * Returns the state of the trial and the subscription at the time `now` (epoch milliseconds). `trialDaysLeft` is
 * negative while the trial is running, as deployed clients expect.
 */
export const planStatus = (now: number, { createdAt, profile }: { createdAt: Date; profile: BillingPlan }) => {
  const end = createdAt.getTime() + (profile.trialDays ?? TRIAL_DAYS) * DAY_MS;
  return {
    trialExpired: config.TRIAL_MODE && now > end,
    trialDaysLeft: Math.floor((now - end) / DAY_MS),
    isActiveSubscription: subscriptionState(profile, now),
  };
};

/** Returns whether the plan has lapsed: trial mode is on, and the free trial or the paid subscription has expired. */
export const isPlanLapsed = (now: number, project: { createdAt: Date; profile: BillingPlan }): boolean => {
  const { trialExpired, isActiveSubscription } = planStatus(now, project);
  const { type } = project.profile;
  return (
    config.TRIAL_MODE && ((type === 'free' && trialExpired) || (type === 'payment' && isActiveSubscription === false))
  );
};

/** A project in the form that the API returns. */
export type ProjectDetail = z.input<typeof ProjectView>;
export type StoredProject = Omit<ProjectDetail, 'id' | 'createdAt'> & { createdAt: Date };

/** Default values for projects without these fields. */
const DEFAULT_ACCESS_RULES = {
  ipFilterEnabled: false,
  ipFilter: [],
  ipFilterDenyEnabled: false,
  ipFilterDeny: [],
  bannedUsers: [],
};

/** Converts a stored project to the form that the API returns, with the state of its plan. */
export const detailView = (project: StoredProject): ProjectDetail => ({
  ...DEFAULT_ACCESS_RULES,
  ...project,
  id: project._id,
  ...planStatus(currentTimeMs(), { createdAt: project.createdAt, profile: project.profile }),
});

const findActiveProjects = (ids: string[]) =>
  Project.find({ _id: { $in: ids }, status: PROJECT_ACTIVE }, projectionOf(ProjectView)).sort({
    updatedAt: -1,
    _id: -1,
  });

/** Reads a project. Errors: 404 for an unknown or disabled project. */
export const read = async (id: string): Promise<ProjectDetail> => {
  const [project] = await findActiveProjects([id]).lean<StoredProject[]>();
  if (!project) throw notFound('Project not found');
  return detailView(project);
};

/** Converts a stored project to the form that events carry. */
export const eventView = (project: StoredProject) => ({ ...detailView(project), id_project: String(project._id) });

/** Reads the projects that still exist, including disabled ones, in the form that events carry. */
export const readForEvents = async (keys: (Types.ObjectId | string)[]): Promise<{ key: string; view: object }[]> => {
  const found = await Project.find({ _id: { $in: keys } }, projectionOf(ProjectView)).lean<StoredProject[]>();
  return found.map((project) => ({ key: String(project._id), view: eventView(project) }));
};

/**
 * Creates a project with its owner, its default department, the bot that represents the project, and the built-in
 * triggers, in one transaction. Returns the project's id.
 */
export const create = async ({ name }: { name: string }, owner: { id: string }): Promise<string> => {
  const id_project = newId();
  await insertIfAbsent(() => createWithOwner({ id_project, name, createdBy: owner.id }));
  return id_project;
};

const defaultTriggers = (owner: { id_project: string; createdBy: string }) =>
  defaultBuiltInTriggers().map((trigger) => ({ _id: newId(), ...owner, ...trigger }));

const createWithOwner = ({ id_project, name, createdBy }: { id_project: string; name: string; createdBy: string }) =>
  inTransaction(async (session) => {
    await Project.create([{ _id: id_project, name, createdBy }], { session, ...emits('project.create') });
    const membership = { id_user: createdBy, role: 'owner', roleType: TEAM_ROLE_TYPE, last_login_at: currentTime() };
    await ProjectUser.create([{ id_project, createdBy, ...membership }], { session });
    const department = { name: 'Default Department', routing: 'assigned', default: true };
    await Department.create([{ id_project, createdBy, ...department }], { session });
    await Bot.create([{ id_project, createdBy, name: 'Bot', type: IDENTITY_BOT_TYPE }], { session });
    await Trigger.insertMany(defaultTriggers({ id_project, createdBy }), { session });
  });

type ProjectMembership = z.input<typeof MembershipView>;

/**
 * Lists the memberships of a user as a teammate, each with its project; the most recently updated project comes first.
 */
export const listForUser = async (person: { id: string }): Promise<ProjectMembership[]> => {
  const ownMemberships = { id_user: person.id, roleType: TEAM_ROLE_TYPE, ...ACTIVE_MEMBER } as const;
  // The query covers all projects; the user's id restricts it.
  const options = { anyProject: true };
  const memberships = await ProjectUser.find(ownMemberships, TEAMMATE_FIELDS, options).lean<StoredMembership[]>();
  const byProject = new Map(memberships.map((membership) => [membership.id_project, membership]));
  const projects = await findActiveProjects([...byProject.keys()]).lean<StoredProject[]>();
  return projects.map((project) => {
    const membership = byProject.get(String(project._id)) as StoredMembership;
    return { ...updateView(membership), id_user: person.id, id_project: detailView(project) };
  });
};
