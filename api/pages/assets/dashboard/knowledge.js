/** The section of knowledge bases: numbers of contents and questions, and the most frequent unanswered questions. */
import { element } from '../demo/elements.js';
import { count } from './format.js';

const MAX_QUESTIONS = 10;

const numberCell = (value) => element('td', {}, element('data', { value }, count(value)));

const baseRow = ({ id, name, count: contents, answered, unanswered }) => {
  const numbers = [contents, answered, unanswered].map(numberCell);
  const cells = [element('th', { scope: 'row' }, name), ...numbers];
  return element('tr', { dataset: { key: id } }, ...cells);
};

const headings = (...names) =>
  element('thead', {}, element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name))));

const basesTable = (bases) =>
  element(
    'table',
    { className: 'bases' },
    headings('Knowledge base', 'Contents', 'Answered questions', 'Unanswered questions'),
    element('tbody', {}, ...bases.map(baseRow)),
  );

const questionsTable = (clusters) =>
  element(
    'table',
    { className: 'questions' },
    headings('Unanswered question', 'Times asked, including similar questions'),
    element(
      'tbody',
      {},
      ...clusters.map(({ question, count: times }) =>
        element('tr', {}, element('th', { scope: 'row' }, question), numberCell(times)),
      ),
    ),
  );

/** Reads the knowledge bases, the numbers of their questions, and their largest clusters of unanswered questions. */
const readBases = async (client, project_id) => {
  const bases = await client.call('GET /v3/{project_id}/kb/namespace/all', {
    path: { project_id },
    query: { count: true },
  });
  return Promise.all(
    bases.map(async (base) => {
      const path = { project_id, namespace: base.id };
      const [answered, unanswered, found] = await Promise.all([
        client.call('GET /v3/{project_id}/kb/answered/count/{namespace}', { path }),
        client.call('GET /v3/{project_id}/kb/unanswered/count/{namespace}', { path }),
        client.call('GET /v3/{project_id}/kb/unanswered/clusters/{namespace}', {
          path,
          query: { limit: MAX_QUESTIONS },
        }),
      ]);
      return { ...base, answered: answered.count, unanswered: unanswered.count, clusters: found.clusters };
    }),
  );
};

/** Connects the section. Its contents do not depend on the period. */
export const connectKnowledge = (section, { client, project }) => {
  const body = section.querySelector('.scroll');
  const refresh = async () => {
    const bases = await readBases(client, project);
    const unanswered = bases.flatMap(({ clusters }) => clusters).filter(({ count: times }) => times > 0);
    const largest = unanswered.toSorted((one, other) => other.count - one.count).slice(0, MAX_QUESTIONS);
    body.replaceChildren(basesTable(bases), ...(largest.length ? [questionsTable(largest)] : []));
  };
  return { refresh };
};
