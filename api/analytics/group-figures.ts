/** Figures for conversations by department and by participant. */
import { type Group, listDepartments, listParticipants } from '#shared/domain/analytics/groups.ts';
import { GroupFigures } from './elements.ts';
import { figure } from './figure.ts';
import { ConversationDaysQuery, MONTH_DAYS } from './query-input.ts';
import { conversationRows, readGroup } from './read-figures.ts';

interface Division {
  /** The filter that selects the conversations of one department or participant. */
  filter: 'department_id' | 'participant';
  name: 'department' | 'participant';
  listGroups(project: string): Promise<Group[]>;
}

const groupFigure = ({ filter, name, listGroups }: Division) =>
  figure({
    path: `requests/aggregate/${name}`,
    summary: `Count the conversations of the last 30 days by ${name}, with their mean waiting time, duration and rating, highest count first`,
    query: ConversationDaysQuery,
    element: GroupFigures(name),
    read: async (project, query) => {
      const groups = await listGroups(project);
      const wanted = groups.filter(({ id }) => !query[filter] || query[filter] === id);
      const rows = await Promise.all(
        wanted.map(async ({ id, name: groupName }) => {
          const figures = await readGroup(conversationRows(project, { ...query, [filter]: id }, { days: MONTH_DAYS }));
          return figures
            ? [{ _id: { [name]: id } as { [N in typeof name]: string }, name: groupName, ...figures }]
            : [];
        }),
      );
      return rows.flat().toSorted((one, other) => other.count - one.count);
    },
  });

export default [
  groupFigure({ filter: 'department_id', name: 'department', listGroups: listDepartments }),
  groupFigure({ filter: 'participant', name: 'participant', listGroups: listParticipants }),
];
