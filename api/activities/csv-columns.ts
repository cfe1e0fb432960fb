/** The CSV columns of activities. */
import type { StoredActivity } from '#shared/domain/activities/activities.ts';
import { describeActivity, type Language, personOf } from '#shared/domain/activities/describe-activity.ts';

/** The columns, in their order in the file. */
export const ACTIVITY_COLUMNS = [
  ...(['message', 'activity_id', 'createdAt', 'updatedAt', 'project_id'] as const),
  ...(['actor_name', 'actor_id', 'actor_type', 'verb'] as const),
  ...(['target_user_fullname', 'target_email', 'target_type', 'target_user_id'] as const),
  ...(['actionObj_email', 'actionObj_id_project', 'actionObj_project_name'] as const),
  ...(['actionObj_role', 'actionObj_user_available'] as const),
  ...(['target_id', 'target_createdAt', 'target_createdBy', 'target_role', 'target_user_available'] as const),
];

const withPrefix = (prefix: string, fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}_${name}`, value]));

/** Returns an activity as a row, with its description in the given language. */
export const toCsvRow = (activity: StoredActivity, language: Language, project_name: string) => {
  const { _id, id_project, createdAt, updatedAt, verb, actor, actionObj, target } = activity;
  const { id, fullname, email } = personOf(target.object);
  return {
    ...{
      message: describeActivity(activity, language),
      activity_id: _id,
      createdAt,
      updatedAt,
      project_id: id_project,
    },
    ...{ ...withPrefix('actor', actor), verb },
    ...{ target_user_fullname: fullname, target_email: email, target_user_id: id },
    ...withPrefix('actionObj', { ...actionObj, ...(actionObj.id_project ? { project_name } : {}) }),
    ...withPrefix('target', { ...target.object, id: target.id, type: target.type }),
  };
};
