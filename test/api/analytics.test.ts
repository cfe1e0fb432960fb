import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

type Row = { _id: Record<string, unknown>; count: number; totalCount: number; [field: string]: unknown };

/** A project with two conversations, one of which is answered, rated, tagged and closed. */
const aProjectWithFigures = async () => {
  const people = await aProject();
  const { project, agent } = people;
  const root = `/v3/${project.id}`;
  const visitor = await aVisitor(project.id);
  for (const request_id of ['one', 'two'])
    await api(visitor).post(`${root}/requests/${request_id}/messages`, {
      text: 'Hello',
      sourcePage: 'https://a.example/',
    });
  await api(agent).put(`${root}/requests/one/participants`, [agent.id]);
  await api(agent).post(`${root}/requests/one/messages`, { text: 'Hi' });
  await api(agent).put(`${root}/requests/one/tag`, [{ tag: 'vip', color: '#f00' }]);
  await api(agent).put(`${root}/requests/one/close`, {});
  expect((await api(visitor).patch(`${root}/requests/one/rating`, { rating: 4 })).status).to.equal(200);
  await api(visitor).post(`${root}/events`, { name: 'event.emit.page-view', attributes: {} });
  await runJobsOnEvents(project.id);
  const figure = async (path: string, caller = people.admin) =>
    (await api(caller).get(`${root}/analytics/${path}`)).body as Row[];
  return { ...people, root, visitor, figure };
};

describe('GET /v3/:project_id/analytics', () => {
  before(() => initCursors()); // stores the cursors of listeners, as every worker does when it starts

  it('returns the figures of conversations, messages, visitors, events and tags', async () => {
    const { project, figure, root, admin, agent } = await aProjectWithFigures();
    const today = new Date();
    const day = { year: today.getUTCFullYear(), month: today.getUTCMonth() + 1, day: today.getUTCDate() };
    const { year, month } = day;
    expect(await figure('requests/count')).to.deep.equal([{ totalCount: 2 }]);
    expect(await figure('requests/count?department_id=&participant=&channel=')).to.deep.equal([{ totalCount: 2 }]);
    expect(await figure('requests/count?participant=nobody')).to.deep.equal([]);
    expect(await figure('requests/count?channel=email')).to.deep.equal([]);
    expect(await figure('requests/aggregate/day')).to.deep.equal([{ _id: day, count: 2 }]);
    expect(await figure('requests/aggregate/month')).to.deep.equal([{ _id: { year, month }, count: 2 }]);
    expect((await figure('requests/aggregate/week'))[0]).to.have.nested.property('_id.week');
    const statuses = await figure('requests/aggregate/status');
    expect(statuses.find(({ _id }) => String(_id) === 'archived')).to.deep.equal({ _id: 'archived', count: 1 });
    const [waiting] = await figure('requests/waiting');
    expect(waiting).to.include({ _id: project.id });
    expect(waiting?.waiting_time_avg).to.be.within(1, 60_000);
    expect((await figure('requests/waiting/day/last'))[0]).to.deep.equal(waiting);
    expect((await api().get(`${root}/publicanalytics/waiting/current`)).body).to.deep.equal([waiting]);
    const [duration] = await figure('requests/duration');
    const mean = (await figure('requests/duration/day'))[0]?.duration_avg;
    expect(Math.abs((duration?.duration_avg as number) / (mean as number) - 1)).to.be.at.most(0.01);
    expect(await figure('requests/satisfaction')).to.deep.equal([{ _id: project.id, satisfaction_avg: 4 }]);
    expect(await figure('requests/satisfaction?channel=form')).to.deep.equal([]);
    expect(await figure('requests/hasBot/count')).to.deep.equal([]);
    const [all] = await figure('messages/count');
    const [ofOne] = await figure('messages/count?recipient=one');
    const [ofTwo] = await figure('messages/count?recipient=two');
    expect(all?.totalCount).to.equal((ofOne?.totalCount as number) + (ofTwo?.totalCount as number));
    expect(await figure(`messages/count?sender=${agent.id}`)).to.deep.equal([{ totalCount: 1 }]);
    expect(await figure('messages/aggregate/day')).to.deep.equal([{ _id: day, count: all?.totalCount }]);
    expect((await figure('project_users/count'))[0]?.totalCount).to.equal(2);
    expect(await figure('events/aggregate/day')).to.deep.equal([
      { _id: { ...day, name: 'event.emit.page-view' }, count: 1 },
    ]);
    const date = [day.day, month].map((part) => String(part).padStart(2, '0')).join('/');
    expect((await api(admin).get(`${root}/analytics/tags/conversation-tag`)).body).to.deep.equal({
      dates: [`${date}/${year}`],
      series: [{ name: 'vip', values: [1] }],
    });
  });

  it('returns an empty array for a new project, and null for a mean without values', async () => {
    const { project, admin, guest } = await aProject();
    const root = `/v3/${project.id}`;
    const paths = ['requests/count', 'requests/waiting', 'requests/duration', 'requests/aggregate/status'];
    for (const path of paths) expect((await api(admin).get(`${root}/analytics/${path}`)).body, path).to.deep.equal([]);
    expect((await api(admin).get(`${root}/analytics/tags/conversation-tag`)).body).to.deep.equal({
      dates: [],
      series: [],
    });
    await api(guest).post(`${root}/requests/one/messages`, { text: 'Hello' });
    await runJobsOnEvents(project.id);
    const means = { waiting: 'waiting_time_avg', duration: 'duration_avg', satisfaction: 'satisfaction_avg' };
    for (const [path, name] of Object.entries(means))
      expect((await api(admin).get(`${root}/analytics/requests/${path}`)).body).to.deep.equal([
        { _id: project.id, [name]: null },
      ]);
  });

  it('returns figures as CSV with format=csv', async () => {
    const { root, admin, figure } = await aProjectWithFigures();
    const csvOf = async (path: string) => {
      const { text, headers } = await api(admin).get(`${root}/analytics/${path}`);
      expect(headers['content-type']).to.match(/^text\/csv/);
      return parse<Record<string, string>>(text, { columns: true, delimiter: ';' });
    };
    const [day] = await figure('requests/aggregate/day');
    const { year, month, day: date } = day?._id ?? {};
    expect(await csvOf('requests/aggregate/day?format=csv')).to.deep.equal([
      { year: String(year), month: String(month), day: String(date), count: '2' },
    ]);
    expect((await csvOf('requests/waiting?format=csv'))[0]).to.have.keys('_id', 'waiting_time_avg');
    expect((await csvOf('tags/conversation-tag?format=csv'))[0]).to.include({ tag: 'vip', count: '1' });
  });

  it('returns no figures for a permanently deleted teammate, and keeps the totals of the project', async () => {
    const { project, agent, admin, root, figure } = await aProjectWithFigures();
    const ofAgent = () =>
      Promise.all(
        [`requests/count?participant=${agent.id}`, `messages/count?sender=${agent.id}`].map((path) => figure(path)),
      );
    for (const [total] of await ofAgent()) expect(total?.totalCount).to.be.at.least(1);
    const senders = async () => (await figure('messages/aggregate/sender')).map(({ _id }) => _id.sender);
    const before = await senders();
    expect(before).to.include(agent.id);
    const { _id } = await ProjectUser.findOne({ id_project: project.id, id_user: agent.id }).orFail();
    await api(admin).delete(`${root}/project_users/${String(_id)}?hard=true`);
    expect(await ofAgent()).to.deep.equal([[], []]);
    expect(await senders()).to.deep.equal(before.filter((sender) => sender !== agent.id));
    expect(await figure('requests/count')).to.deep.equal([{ totalCount: 2 }]);
    expect(await figure(`requests/aggregate/month?participant=${agent.id}&start=2000-01-01`)).to.deep.equal([]);
  });

  it('accepts periods of any length', async () => {
    const { project, admin, guest } = await aProject();
    const root = `/v3/${project.id}`;
    await api(guest).post(`${root}/requests/one/messages`, { text: 'Hello' });
    await runJobsOnEvents(project.id);
    const countIn = async (path: string) => {
      const { status, body } = await api(admin).get(`${root}/analytics/${path}`);
      expect(status, path).to.equal(200);
      return (body as Row[]).reduce((sum, { count, totalCount }) => sum + (count ?? totalCount), 0);
    };
    for (const lastdays of ['all', '1e12', '7']) {
      expect(await countIn(`requests/aggregate/day?lastdays=${lastdays}`)).to.equal(1);
      expect(await countIn(`messages/aggregate/day?lastdays=${lastdays}&recipient=one`)).to.be.above(0);
    }
    expect(await countIn('messages/aggregate/day?lastdays=-1e12&recipient=one')).to.equal(0);
    expect(await countIn('requests/count?start=0001-01-01&end=9999-12-31')).to.equal(1);
  });

  it('rejects an unknown time zone, an invalid date and a reversed date range', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/analytics`;
    const status = async (path: string): Promise<number> => (await api(admin).get(`${root}/${path}`)).status;
    expect(await status('requests/aggregate/hours?timezone=Moon/Base')).to.equal(422);
    expect(await status('requests/aggregate/hours?timezone=%2B05:45')).to.equal(200);
    expect(await status('requests/aggregate/hours?timezone=%2B05:44')).to.equal(422);
    expect(await status('requests/count?start=soon')).to.equal(422);
    expect(await status('tags/conversation-tag?start_date=12/02/2026&end_date=12/01/2026')).to.equal(400);
    expect(await status('requests/count?start=30/02/2026')).to.equal(422);
    expect(await status('requests/count?start=2026-02-30')).to.equal(422);
  });
});
