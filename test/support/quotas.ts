/** Sets the quotas of a project's plan, as an instance administrator does. */
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { api } from './api.ts';
import { waitForAccessPoll } from './mongo-commands.ts';
import { anInstanceAdmin, type Person } from './people.ts';

/** The account of an instance administrator who is an admin of the project, and never available. */
export const anAdminWhoSetsPlans = async (id_project: string): Promise<Person> => {
  const person = await anInstanceAdmin();
  const member = { roleType: TEAM_ROLE_TYPE, role: 'admin', user_available: false, createdBy: person.id };
  const key = { id_project, id_user: person.id };
  await ProjectUser.updateOne(key, { $setOnInsert: member }, { upsert: true });
  return person;
};

/** Sets the quotas (`profile.quotes`), and waits until this process enforces them. */
export const setQuotas = async (id_project: string, quotes: object): Promise<void> => {
  const person = await anAdminWhoSetsPlans(id_project);
  const reply = await api(person).put(`/v3/projects/${id_project}`, { profile: { name: 'Basic', quotes } });
  if (reply.status !== 200) throw new Error(`setting the quotas failed: ${reply.status} ${reply.text}`);
  await waitForAccessPoll();
};
