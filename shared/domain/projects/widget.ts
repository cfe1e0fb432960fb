/** What every web client asks first, without credentials (contract a 9.1): read here is only what may be shown. */
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { ACTIVE, Project, PublicProjectView } from '../../models/project.ts';
import { isId } from '../../view.ts';
import { isOpen, presentIn } from './availability.ts';
import type { TimeSlot } from './hours.ts';
import { isLapsed, planAt } from './projects.ts';
import { publicList } from './public-departments.ts';

type Fields = Record<string, unknown>;

/** The fields of a View down to the last one, so that what stands beside them is not even read. */
const everyFieldOf = ({ shape }: z.ZodObject): Record<string, 1> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) =>
      schema instanceof z.ZodObject ? Object.keys(schema.shape).map((inner) => [`${name}.${inner}`, 1]) : [[name, 1]],
    ),
  );

const FIELDS = { ...everyFieldOf(PublicProjectView), 'profile.subEnd': 1 } as const;
const VISIBLE = 1;

type Public = Omit<z.input<typeof PublicProjectView>, 'createdAt' | 'profile' | 'timeSlots'> & {
  createdAt: Date;
  timeSlots?: Record<string, TimeSlot>;
  profile: { type?: string; trialDays?: number; subEnd?: Date };
};

const find = async (id: string): Promise<Public> => {
  const project = isId(id) ? await Project.findOne({ _id: id, status: ACTIVE }, FIELDS).lean<Public>() : null;
  if (!project) throw new AppError(400, 'NO_PROJECT', `Project ${id} not found`);
  return project;
};

const PAID_FOR = new Set(['poweredBy', 'baloonImage']);

/** Without what a plan that has lapsed does not pay for. */
const afterLapse = (widget: Fields): Fields =>
  Object.fromEntries(Object.entries(widget).filter(([name]) => !PAID_FOR.has(name)));

const shown = (project: Public, isOver: boolean): z.input<typeof PublicProjectView> => {
  const { profile, widget, ...rest } = project;
  const { subEnd: _, ...seen } = profile;
  return {
    ...rest,
    id: project._id,
    profile: seen,
    ...(widget ? { widget: isOver ? afterLapse(widget) : widget } : {}),
    ...planAt(Date.now(), project),
  };
};

/** Hours that can not be read hide the teammates; the visitor can still write. */
const isOpenNow = (project: Public): boolean => {
  try {
    return isOpen(project, { at: new Date() });
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

const departmentsOf = (id_project: string, onlyDefault: boolean) =>
  publicList(
    { id_project, ...(onlyDefault ? { default: true } : { status: VISIBLE }) },
    {
      _id: 1,
    },
  );

/** The project, who is there, and where a visitor can turn to; 400 for a project that is not in use (contract a 1.1). */
export const bootstrap = async (id: string) => {
  const project = await find(id);
  const isOver = isLapsed(Date.now(), project);
  const [departments, user_available] = await Promise.all([
    departmentsOf(id, isOver),
    isOpenNow(project) ? presentIn(id) : [],
  ]);
  return { project: shown(project, isOver), user_available, departments, botsRules: [] };
};
