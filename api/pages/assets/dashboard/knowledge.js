/** The section of the knowledge bases: their contents, and the questions that they answered or could not answer. */
import { element } from '../demo/elements.js';
import { count } from './format.js';

const SHOWN = 10;

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
    headings('Question without an answer, with similar ones', 'Times'),
    element(
      'tbody',
      {},
      ...clusters.map(({ question, count: times }) =>
        element('tr', {}, element('th', { scope: 'row' }, question), numberCell(times)),
      ),
    ),
  );

/** Reads the knowledge bases with the numbers of their questions and the largest clusters of unanswered ones. */
const readBases = async (call, project) => {
  const bases = await call('GET', `/${project}/kb/namespace/all?count=true`);
  return Promise.all(
    bases.map(async (base) => {
      const id = encodeURIComponent(base.id);
      const paths = [`answered/count/${id}`, `unanswered/count/${id}`, `unanswered/clusters/${id}?limit=${SHOWN}`];
      const [answered, unanswered, found] = await Promise.all(
        paths.map((path) => call('GET', `/${project}/kb/${path}`)),
      );
      return { ...base, answered: answered.count, unanswered: unanswered.count, clusters: found.clusters };
    }),
  );
};

/** Connects the section. Its contents do not depend on the period. */
export const connectKnowledge = (section, { call, project }) => {
  const body = section.querySelector('.scroll');
  const refresh = async () => {
    const bases = await readBases(call, project);
    const unanswered = bases.flatMap(({ clusters }) => clusters).filter(({ count: times }) => times > 0);
    const largest = unanswered.toSorted((one, other) => other.count - one.count).slice(0, SHOWN);
    body.replaceChildren(basesTable(bases), ...(largest.length ? [questionsTable(largest)] : []));
  };
  return { refresh };
};
