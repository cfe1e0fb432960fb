/**
 * The sections of the dashboard: plots, each with a table of its numbers, the plot of the week, and the tables of
 * departments and participants.
 */
import { element } from '../demo/elements.js';
import { GROUPS, PLOTS, WEEK } from './figures.js';
import { count, duration, hour, NONE, percent, rating } from './format.js';
import { createPlot } from './plot.js';

const LEVELS = 6;

/** Returns an element with a number: as formatted text, and as a machine-readable value. */
const number = (value, format) => element('data', { value: value ?? '' }, format(value));

const row = (heading, ...cells) =>
  element('tr', {}, element('th', { scope: 'row' }, heading), ...cells.map((cell) => element('td', {}, cell)));

const table = (caption, headings, rows) =>
  element(
    'table',
    {},
    element('caption', { className: 'hidden-text' }, caption),
    element('thead', {}, element('tr', {}, ...headings.map((heading) => element('th', { scope: 'col' }, heading)))),
    element('tbody', {}, ...rows),
  );

/** Creates a section with a title, a button that downloads the figure as CSV, a summary, and a body. */
const section = ({ id, title }, onCsv, ...body) => {
  const summary = element('p', { className: 'summary', id: `${id}-summary` });
  const csv = element(
    'button',
    { type: 'button', className: 'csv', ariaLabel: `${title} as CSV`, onclick: onCsv },
    'CSV',
  );
  const heading = element('h2', { id: `${id}-title` }, title);
  const created = element('section', { id, className: 'panel' }, element('header', {}, heading, csv), summary, ...body);
  created.setAttribute('aria-labelledby', heading.id);
  return { created, summary };
};

const numbersTable = ({ title }, { heading, keys, labels, series }) =>
  table(
    title,
    [heading, ...series.map(({ name }) => name)],
    keys.map((key, index) => {
      const created = row(labels[index], ...series.map(({ values, format }) => number(values[index], format)));
      created.dataset.key = key;
      return created;
    }),
  );

const legend = (names) => {
  const swatches = names.map((_, index) => element('i', { className: `series-${index + 1}` }));
  const items = names.map((name, index) => element('li', {}, swatches[index], name));
  return { swatches, created: element('ul', { className: 'legend', hidden: names.length < 2 }, ...items) };
};

const plotPanel = (figure, onCsv) => {
  const target = element('div', { className: 'plot', role: 'img' });
  const readout = element('p', { className: 'readout', ariaHidden: 'true' });
  const numbers = element('div', {
    className: 'scroll',
    tabIndex: 0,
    role: 'region',
    ariaLabel: `Numbers: ${figure.title}`,
  });
  const details = element('details', {}, element('summary', {}, 'Numbers'), numbers);
  const { swatches, created: names } = legend(figure.model([], []).series.map(({ name }) => name));
  const { created, summary } = section(figure, () => onCsv(figure), target, readout, names, details);
  target.setAttribute('aria-labelledby', `${figure.id}-title ${figure.id}-summary`);
  let plot;
  let shown;
  const onCursor = (index) => {
    const texts = shown?.series.map(({ name, values, format }) => `${name}: ${format(values[index])}`);
    readout.textContent = index === null || index === undefined ? '' : `${shown.labels[index]}. ${texts.join(', ')}`;
  };
  const show = (rows, days) => {
    shown = figure.model(rows, days);
    summary.textContent = figure.summary(shown);
    numbers.replaceChildren(numbersTable(figure, shown));
    if (plot) return plot.show(shown);
    plot = createPlot(figure, { model: shown, target, swatches, onCursor });
    target.plotData = plot.data;
  };
  return { path: figure.path, created, show };
};

const weekPanel = (onCsv) => {
  const body = element('div', { className: 'week' });
  const { created, summary } = section(WEEK, () => onCsv(WEEK), body);
  created.classList.add('wide');
  const cellOf = (value, most) => {
    const cell = element(
      'td',
      { className: `level-${Math.ceil((value / (most || 1)) * LEVELS)}` },
      number(value, count),
    );
    return cell;
  };
  const show = (rows) => {
    const week = WEEK.model(rows);
    const most = Math.max(...week.flatMap(({ values }) => values));
    const total = (values) => values.reduce((sum, value) => sum + value, 0);
    const lines = week.map(({ name, values }) => {
      const line = row(name, number(total(values), count));
      line.dataset.key = name;
      line.firstChild.after(...values.map((value) => cellOf(value, most)));
      return line;
    });
    body.replaceChildren(
      table(WEEK.title, ['Day', ...WEEK.hours.map((each) => hour(each).slice(0, 2)), 'Total'], lines),
    );
    const busiest = week.toSorted((one, other) => total(other.values) - total(one.values))[0];
    summary.textContent = most ? `Busiest: ${busiest.name} (${count(total(busiest.values))}).` : 'None in this period.';
  };
  show([]);
  return { path: WEEK.path, created, show };
};

const bar = (share) => {
  const created = element('i', { className: 'bar', ariaHidden: 'true' });
  created.style.setProperty('--share', share);
  return created;
};

const groupPanel = (figure, onCsv) => {
  const body = element('div', { className: 'scroll rows', tabIndex: 0, role: 'region', ariaLabel: figure.title });
  const { created, summary } = section(figure, () => onCsv(figure), body);
  const headings = [figure.heading, 'Conversations', 'With a bot', 'Mean wait', 'Mean duration', 'Rating'];
  const show = (rows) => {
    const most = Math.max(1, ...rows.map((each) => each.count));
    summary.textContent = rows.length ? figure.summary(rows.length) : 'None in this period.';
    const lines = rows.map((each) => {
      const [key] = Object.values(each._id);
      const line = row(
        each.name,
        number(each.count, count),
        number(each.bots / each.count, percent),
        number(each.waiting_time_avg, duration),
        number(each.duration_avg, duration),
        number(each.satisfaction_avg, rating),
      );
      line.dataset.key = key;
      line.children[1].append(bar(each.count / most));
      return line;
    });
    body.replaceChildren(rows.length ? table(figure.title, headings, lines) : NONE);
  };
  return { path: figure.path, created, show };
};

/** Creates all sections, in the order of the page. `onCsv` receives the figure to download as CSV. */
export const createPanels = (onCsv) => [
  ...PLOTS.slice(0, 2).map((figure) => plotPanel(figure, onCsv)),
  weekPanel(onCsv),
  ...PLOTS.slice(2).map((figure) => plotPanel(figure, onCsv)),
  ...GROUPS.map((figure) => groupPanel(figure, onCsv)),
];
