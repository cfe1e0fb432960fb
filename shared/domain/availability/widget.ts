/** The start-up data of the chat widget, for callers without credentials. Contains only public fields. */
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { PROJECT_ACTIVE, Project, PublicProjectView } from '../../models/project.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { isId } from '../../wire/view.ts';
import { listRules } from '../bots/bots.ts';
import { listPublicDepartments } from '../departments/public-departments.ts';
import { isPlanLapsed, planStatus } from '../projects/projects.ts';
import { isOpenNow, listOnlineAgents } from './availability.ts';
import type { TimeSlot } from './operating-hours.ts';

type Fields = Record<string, unknown>;

/**
 * Returns a projection of the fields in the schema of a response, including nested ones, so that no others are read.
 */
const nestedProjection = ({ shape }: z.ZodObject): Record<string, 1> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) =>
      schema instanceof z.ZodObject ? Object.keys(schema.shape).map((inner) => [`${name}.${inner}`, 1]) : [[name, 1]],
    ),
  );

const PROJECT_FIELDS = { ...nestedProjection(PublicProjectView), 'profile.subEnd': 1 } as const;
const VISIBLE_STATUS = 1;

type PublicProject = Omit<z.input<typeof PublicProjectView>, 'createdAt' | 'profile' | 'timeSlots'> & {
  createdAt: Date;
  timeSlots?: Record<string, TimeSlot>;
  profile: { type?: string; trialDays?: number; subEnd?: Date };
};

const findProject = async (id: string): Promise<PublicProject> => {
  const project = isId(id)
    ? await Project.findOne({ _id: id, status: PROJECT_ACTIVE }, PROJECT_FIELDS).lean<PublicProject>()
    : null;
  if (!project) throw new AppError(400, 'PROJECT_NOT_FOUND', `Project ${id} not found`);
  return project;
};

const PAID_FIELDS = new Set(['poweredBy', 'baloonImage']);

/** Removes the settings that require a paid plan. */
const withoutPaidFields = (widget: Fields): Fields =>
  Object.fromEntries(Object.entries(widget).filter(([name]) => !PAID_FIELDS.has(name)));

const publicView = (project: PublicProject, hasLapsed: boolean): z.input<typeof PublicProjectView> => {
  const { profile, widget, ...rest } = project;
  const { subEnd: _, ...publicProfile } = profile;
  return {
    ...rest,
    id: project._id,
    profile: publicProfile,
    ...(widget ? { widget: hasLapsed ? withoutPaidFields(widget) : widget } : {}),
    ...planStatus(currentTimeMs(), project),
  };
};

const listDepartments = (id_project: string, onlyDefault: boolean) =>
  listPublicDepartments({ id_project, ...(onlyDefault ? { default: true } : { status: VISIBLE_STATUS }) }, { _id: 1 });

/**
 * Returns the project, its available agents, its departments and the automation rules of its bots. Errors: 400 for an
 * unknown or disabled project.
 */
export const bootstrap = async (id: string) => {
  const project = await findProject(id);
  const hasLapsed = isPlanLapsed(currentTimeMs(), project);
  const [departments, user_available, botsRules] = await Promise.all([
    listDepartments(id, hasLapsed),
    isOpenNow(project) ? listOnlineAgents(id) : [],
    listRules(id),
  ]);
  return { project: publicView(project, hasLapsed), user_available, departments, botsRules };
};
