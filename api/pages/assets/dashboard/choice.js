/**
 * The filters of the dashboard: period, time zone and department. The choice is stored in the query of the address, so
 * that a link shows the same figures.
 */
import { element } from '../demo/elements.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 1100;

const isoDay = (time) => new Date(time).toISOString().slice(0, 10);
const timeOf = (day) => Date.parse(`${day}T00:00:00Z`);

/** Returns today's date in a time zone, as YYYY-MM-DD. */
const today = (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());

/** Returns the period that the form fields select. Throws for a period that cannot be shown. */
const periodOf = ({ days, start, end, timezone }) => {
  const last = days ? today(timezone) : end;
  const first = days ? isoDay(timeOf(last) - (Number(days) - 1) * DAY_MS) : start;
  const length = (timeOf(last) - timeOf(first)) / DAY_MS + 1;
  if (!(length > 0)) throw new Error('The first day must not be after the last day.');
  if (length > MAX_DAYS) throw new Error(`The period has ${length} days; choose at most ${MAX_DAYS}.`);
  return {
    start: first,
    end: last,
    days: Array.from({ length }, (_, index) => isoDay(timeOf(first) + index * DAY_MS)),
  };
};

const addOption = (select, value, text = value) => {
  if ([...select.options].some((option) => option.value === value)) return;
  select.append(element('option', { value }, text));
};

const setField = (form, name, value) => {
  if (form[name].tagName === 'SELECT') addOption(form[name], value);
  form[name].value = value;
};

/** Fills the form from the address. The default is the last 30 days in the time zone of the browser. */
const fillForm = (form) => {
  const query = new URLSearchParams(location.search);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const zone of ['UTC', ...Intl.supportedValuesOf('timeZone')]) addOption(form.timezone, zone);
  const isCustom = query.get('start') && query.get('end');
  const days = isCustom ? '' : (query.get('days') ?? String(DEFAULT_DAYS));
  form.days.value = days;
  if (form.days.value !== days) form.days.value = String(DEFAULT_DAYS);
  setField(form, 'timezone', query.get('timezone') ?? timeZone ?? 'UTC');
  setField(form, 'department_id', query.get('department_id') ?? '');
  for (const name of ['start', 'end']) form[name].value = query.get(name) ?? '';
};

const readForm = (form) => Object.fromEntries(new FormData(form));

/**
 * Writes the choice to the address: the dates of a custom period, or the number of days of a period that ends today.
 */
const keepInAddress = ({ days, start, end, timezone, department_id }) => {
  const period = days ? { days } : { start, end };
  const query = new URLSearchParams({ ...period, timezone, ...(department_id && { department_id }) });
  history.replaceState(null, '', `?${query}`);
};

/** Connects the form. `onChoice` receives the parameters of the API's figures and the days of the period. */
export const connectChoice = (form, departments, onChoice) => {
  const problem = form.querySelector('[role="alert"]');
  for (const { _id, name } of departments) addOption(form.department_id, _id, name);

  const choose = () => {
    problem.textContent = '';
    const fields = readForm(form);
    form.classList.toggle('custom', !fields.days);
    try {
      const { days, ...period } = periodOf(fields);
      for (const name of ['start', 'end']) form[name].value = period[name];
      keepInAddress(readForm(form));
      const { timezone, department_id } = fields;
      onChoice({ parameters: { ...period, timezone, ...(department_id && { department_id }) }, days });
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  fillForm(form);
  form.addEventListener('change', choose);
  form.addEventListener('submit', (event) => event.preventDefault());
  choose();
  return { refresh: choose };
};
