/** The section of the knowledge bases: their contents, and the questions that they could not answer. */
import { element } from '../demo/elements.js';
import { count } from './format.js';

const LATEST = 100;
const SHOWN = 10;

/** Questions that differ only in letter case, spaces and punctuation have the same key. */
const keyOf = ({ question }) =>
  question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const mostFrequent = (questions) =>
  [...Map.groupBy(questions, keyOf).values()].toSorted((one, other) => other.length - one.length).slice(0, SHOWN);

const numberCell = (value) => element('td', {}, element('data', { value }, count(value)));

const baseRow = ({ id, name, count: contents, unanswered }) => {
  const cells = [element('th', { scope: 'row' }, name), numberCell(contents), numberCell(unanswered)];
  return element('tr', { dataset: { key: id } }, ...cells);
};

const headings = (...names) =>
  element('thead', {}, element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name))));

const basesTable = (bases) =>
  element(
    'table',
    { className: 'bases' },
    headings('Knowledge base', 'Contents', 'Unanswered questions'),
    element('tbody', {}, ...bases.map(baseRow)),
  );

const questionsTable = (groups) =>
  element(
    'table',
    { className: 'questions' },
    headings('Question without an answer', 'Times'),
    element(
      'tbody',
      {},
      ...groups.map((group) =>
        element('tr', {}, element('th', { scope: 'row' }, group[0].question), numberCell(group.length)),
      ),
    ),
  );

/** Reads the knowledge bases with their unanswered questions. */
const readBases = async (call, project) => {
  const bases = await call('GET', `/${project}/kb/namespace/all?count=true`);
  return Promise.all(
    bases.map(async (base) => {
      const found = await call('GET', `/${project}/kb/unanswered/${encodeURIComponent(base.id)}?limit=${LATEST}`);
      return { ...base, unanswered: found.count, questions: found.questions };
    }),
  );
};

/** Connects the section. Its contents do not depend on the period. */
export const connectKnowledge = (section, { call, project }) => {
  const body = section.querySelector('.scroll');
  const refresh = async () => {
    const bases = await readBases(call, project);
    const groups = mostFrequent(bases.flatMap(({ questions }) => questions));
    body.replaceChildren(basesTable(bases), ...(groups.length ? [questionsTable(groups)] : []));
  };
  return { refresh };
};
