import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { anApi, api } from '../support/api.ts';
import { aBrowserOrSkip, closePages, visitPage } from '../support/browser.ts';
import {
  type NumbersByKey,
  numbersDrawn,
  numbersIn,
  numbersInTile,
  withoutEmpty,
} from '../support/dashboard-numbers.ts';
import { addHistory } from '../support/demo-history.ts';
import { signIn } from '../support/demo-system.ts';
import { aProject, PASSWORD } from '../support/people.ts';

/** A row in the reply of an analytics endpoint. Its fields depend on the endpoint. */
type Row = ReturnType<typeof JSON.parse>;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const dayOf = ({ _id: { year, month, day } }: Row): string =>
  [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');

const byKey = (rows: Row[], keyOf: (row: Row) => string | number, ...fields: string[]): NumbersByKey =>
  withoutEmpty(Object.fromEntries(rows.map((row) => [keyOf(row), fields.map((field) => row[field] ?? null)])));

const byDay =
  (...fields: string[]) =>
  (rows: Row[]) =>
    byKey(rows, dayOf, ...fields);

const byBot = (rows: Row[]): NumbersByKey =>
  Object.fromEntries(
    [...Map.groupBy(rows, dayOf)].map(([day, each]) => {
      const counts = { true: 0, false: 0, ...Object.fromEntries(each.map((row) => [row._id.hasBot, row.count])) };
      return [day, [counts.true + counts.false, counts.true]];
    }),
  );

/** Returns, for each weekday, the conversation counts of its 24 hours, followed by their total. */
const byWeek = (rows: Row[]): NumbersByKey =>
  Object.fromEntries(
    WEEKDAYS.map((name, index) => {
      const own = rows.filter(({ _id }) => _id.weekday === index + 1);
      const hours = Array.from({ length: 24 }, (_, hour) =>
        Number(own.find(({ _id }) => _id.hour === hour)?.count ?? 0),
      );
      return [name, [...hours, hours.reduce((sum, count) => sum + count, 0)]];
    }),
  );

const byGroup = (rows: Row[]): NumbersByKey =>
  Object.fromEntries(
    rows.map((row) => [
      String(Object.values(row._id)[0]),
      [row.count, row.bots / row.count, row.waiting_time_avg, row.duration_avg, row.satisfaction_avg],
    ]),
  );

/**
 * For each chart on the page, the path of its analytics endpoint, and a function that converts the rows of the reply to
 * the numbers that the chart must show.
 */
const PLOTS: Record<string, [path: string, numbersOf: (rows: Row[]) => NumbersByKey]> = {
  'by-day': ['requests/aggregate/day', byDay('count')],
  'by-hour': ['requests/aggregate/hours', (rows) => byKey(rows, ({ _id }) => String(_id.hour), 'count')],
  waiting: ['requests/waiting/percentiles/day', byDay('median', 'p90')],
  duration: ['requests/duration/percentiles/day', byDay('median', 'p90')],
  satisfaction: ['requests/satisfaction/day', byDay('satisfaction_avg')],
  bots: ['requests/aggregate/hasBot/day', byBot],
  messages: ['messages/aggregate/day', byDay('count')],
};
const TABLES: typeof PLOTS = {
  week: ['requests/aggregate/dayoftheweek/hours', byWeek],
  departments: ['requests/aggregate/department', byGroup],
  agents: ['requests/aggregate/participant', byGroup],
};

/** Returns the query string for the API that corresponds to the selection on the page. */
const parametersOf = async (page: Page): Promise<string> => {
  const query = new URL(page.url()).searchParams;
  query.delete('days');
  for (const name of ['start', 'end']) query.set(name, await page.locator(`[name=${name}]`).inputValue());
  return query.toString();
};

const loaded = (page: Page) => page.locator('#figures[aria-busy="false"]').waitFor();

describe('GET /v3/:project_id/dashboard', () => {
  let browser: Browser;
  let people: Awaited<ReturnType<typeof aProject>>;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    people = await aProject();
    const { id: id_project } = people.project;
    await Bot.create({ id_project, name: 'Helper', createdBy: 'x' });
    await addHistory(id_project, { requests: 120, weeks: 4 });
  });
  after(() => closePages(browser));

  const addressOf = async (query = ''): Promise<string> => `${await anApi()}/v3/${people.project.id}/dashboard${query}`;

  /** Compares all numbers on the page with those that the API returns for the same selection. */
  const expectNumbersOfApi = async (page: Page): Promise<void> => {
    const parameters = await parametersOf(page);
    const read = async (path: string): Promise<Row[]> =>
      (await api(people.admin).get(`/v3/${people.project.id}/analytics/${path}?${parameters}`)).body;
    for (const [id, [path, numbersOf]] of Object.entries({ ...PLOTS, ...TABLES })) {
      const expected = numbersOf(await read(path));
      expect(Object.keys(expected), id).not.to.deep.equal([]);
      expect(await numbersIn(page, id), id).to.deep.equal(withoutEmpty(expected));
      if (id in PLOTS) expect(await numbersDrawn(page, id), id).to.deep.equal(expected);
    }
    const [[all], [bots], [waiting], [rating], [messages]] = (await Promise.all(
      [
        'requests/count',
        'requests/hasBot/count',
        'requests/waiting/percentiles',
        'requests/satisfaction',
        'messages/count',
      ].map(read),
    )) as Row[];
    expect(await numbersInTile(page, 'conversations')).to.deep.equal([all.totalCount]);
    expect(await numbersInTile(page, 'waiting')).to.deep.equal([waiting.median, waiting.p90]);
    expect(await numbersInTile(page, 'satisfaction')).to.deep.equal([rating.satisfaction_avg]);
    expect(await numbersInTile(page, 'bots')).to.deep.equal([bots.totalCount / all.totalCount, bots.totalCount]);
    expect(await numbersInTile(page, 'messages')).to.deep.equal([messages.totalCount]);
  };

  it('shows the numbers of the API for the chosen period, time zone and department, keeps the selection in the address of the page, and saves the CSV file that the API returns', async () => {
    const { page, consoleMessages, foreignRequests, close } = await visitPage(
      browser,
      await addressOf('?days=30&timezone=Asia/Kathmandu'),
    );
    await signIn(page, { ...people.admin, password: PASSWORD });
    await loaded(page);
    await expectNumbersOfApi(page);

    const returns = await Department.findOne({ id_project: people.project.id, name: 'Returns' }).orFail();
    await page.locator('[name=department_id]').selectOption({ label: 'Returns' });
    await page.locator('#figures[aria-busy="false"] #departments tbody tr:only-child').waitFor();
    expect(new URL(page.url()).searchParams.get('department_id')).to.equal(String(returns._id));
    await page.reload();
    await loaded(page);
    await expectNumbersOfApi(page);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Waiting time as CSV' }).click(),
    ]);
    const path = `/v3/${people.project.id}/analytics/requests/waiting/percentiles/day?${await parametersOf(page)}&format=csv`;
    expect(await readFile(await download.path(), 'utf8')).to.equal((await api(people.admin).get(path)).text);
    expect(await page.locator('#knowledge .questions tbody tr').first().innerText()).to.match(
      /^Do you ship to Norway\?\s+3$/,
    );
    await close();
    expect([consoleMessages, foreignRequests]).to.deep.equal([[], []]);
  });

  it('can be operated with only the keyboard', async () => {
    const { page, close } = await visitPage(browser, await addressOf('?days=30&timezone=UTC'));
    await page.getByLabel('Email address').focus();
    await page.keyboard.type(people.admin.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await loaded(page);
    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page.waitForURL(/days=7&/);
    await loaded(page);
    const details = page.locator('#by-day details');
    await details.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await details.getByRole('row').count()).to.equal(8);
    await close();
  });

  it("reveals nothing without a sign-in, and shows the API's message to a person who is not an admin", async () => {
    const page = await api().get(`/v3/${people.project.id}/dashboard`);
    const other = await api().get('/v3/aaaaaaaaaaaaaaaaaaaaaaaa/dashboard');
    expect([page.status, page.text]).to.deep.equal([200, other.text]);
    expect(page.text).not.to.include(people.project.id);
    const visit = await visitPage(browser, await addressOf());
    await signIn(visit.page, { ...people.agent, password: PASSWORD });
    await visit.page.locator('#signin [role="alert"]:not(:empty)').waitFor();
    expect(await visit.page.locator('#figures').isVisible()).to.equal(false);
    await visit.close();
  });
});
