/** Draws numbers by day or hour with uPlot. Colors come from the style sheet, and follow its dark and light scheme. */
import { shortDay } from './format.js';

const DAY_SECONDS = 86_400;
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const DURATION_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((value) => value * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((value) => value * MINUTE),
  ...[1, 2, 4, 6, 12].map((value) => value * HOUR),
  ...[1, 2, 5, 7, 14, 30].map((value) => value * DAY),
];
const DAY_STEPS = [1, 2, 7, 14, 28, 56, 91, 182, 364].map((days) => days * DAY_SECONDS);
const WHOLE_STEPS = Array.from({ length: 10 }, (_, digits) => [1, 2, 5].map((value) => value * 10 ** digits)).flat();
const HOUR_STEPS = [1, 2, 3, 6];
const FONT = '12px system-ui, sans-serif';
const DIGIT_WIDTH = 7.5;

const { uPlot } = globalThis;

/** All plots. They are redrawn when the colors change. */
const plots = new Set();

/** Returns a function that reads the color of an element, which the style sheet sets for the current scheme. */
const colorOf = (source) => () => getComputedStyle(source).color;

const toSeconds = (day) => Date.parse(`${day}T00:00:00Z`) / 1000;

const xAxis = (isByDay) => ({
  space: 56,
  size: 28,
  incrs: isByDay ? DAY_STEPS : HOUR_STEPS,
  values: (_, splits) =>
    splits.map((value) => (isByDay ? shortDay(new Date(value * 1000).toISOString().slice(0, 10)) : value)),
});

const yAxis = ({ format, isDuration }) => ({
  space: 28,
  incrs: isDuration ? DURATION_STEPS : WHOLE_STEPS,
  values: (_, splits) => splits.map((value) => (isDuration && value === 0 ? '0' : format(value))),
  size: (_, values) => Math.max(28, ...(values ?? []).map((text) => 14 + text.length * DIGIT_WIDTH)),
});

const seriesOptions = ({ kind, swatches }) =>
  swatches.map((swatch) =>
    kind === 'bars'
      ? {
          fill: colorOf(swatch),
          width: 0,
          paths: uPlot.paths.bars({ size: [0.72, 36], radius: 0.12 }),
          points: { show: false },
        }
      : { stroke: colorOf(swatch), width: 2, points: { size: 5, fill: colorOf(swatch) }, spanGaps: true },
  );

const optionsOf = (figure, { model, target, swatches, onCursor }) => {
  const isByDay = model.heading === 'Day';
  const step = isByDay ? DAY_SECONDS : 1;
  const styles = getComputedStyle(target);
  const axis = {
    font: FONT,
    stroke: () => styles.color,
    grid: { stroke: () => styles.borderTopColor, width: 1 },
    ticks: { show: false },
  };
  const [first] = model.series;
  return {
    width: target.clientWidth,
    height: target.clientHeight,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: figure.kind === 'lines' }, y: false },
    hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx)] },
    scales: {
      x: { time: false, range: (_, min, max) => [min - step * 0.6, max + step * 0.6] },
      y: { range: (_, min, max) => [0, Math.max((figure.max ?? max) * 1.05, 1)] },
    },
    axes: [
      { ...axis, ...xAxis(isByDay), grid: { show: false } },
      { ...axis, ...yAxis({ ...figure, format: figure.axisFormat ?? first.format }) },
    ],
    series: [{}, ...seriesOptions({ kind: figure.kind, swatches })],
  };
};

const dataOf = ({ heading, keys, series }) => [
  heading === 'Day' ? keys.map(toSeconds) : keys,
  ...series.map(({ values }) => values),
];

/** Draws a model into an element. Returns functions that show another model and read the drawn data. */
export const createPlot = (figure, { model, target, swatches, onCursor }) => {
  const plot = new uPlot(optionsOf(figure, { model, target, swatches, onCursor }), dataOf(model), target);
  plots.add(plot);
  new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: target.clientHeight })).observe(target);
  return { show: (changed) => plot.setData(dataOf(changed)), data: () => plot.data };
};

const redrawAll = () => {
  for (const plot of plots) plot.redraw();
};

for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', redrawAll);
