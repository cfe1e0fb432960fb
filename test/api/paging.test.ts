/** Long lists, walked by their cursors while records come. */
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { Request } from '#shared/models/request.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

const RECORDS = 23;
const PER_PAGE = 5;

type Row = Record<string, unknown> & { _id: string };

/** Every row of a list, page by page; `between` runs after each page. */
const walk = async (by: Caller, path: string, between: () => unknown = () => undefined): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, status } = await api(by).get(`${path}&limit=${PER_PAGE}${cursor && `&cursor=${cursor}`}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    rows.push(...(body.requests ?? body.leads));
    cursor = body.next_cursor;
    await between();
  }
  return rows;
};

const idsOf = (rows: { _id: unknown }[]) => rows.map(({ _id }) => String(_id));

describe('A walk through a list', () => {
  const aProjectWith = async (fieldsOf: (at: number) => object) => {
    const { project, owner } = await aProject();
    const own = { id_project: project.id, first_text: 'Hi', createdBy: 'x' };
    const make = (count: number, after = 0) =>
      Request.insertMany(
        times(count, (at) => ({ ...own, request_id: `${after + at}`, snapshot: {}, ...fieldsOf(after + at) })),
      );
    await make(RECORDS);
    return { id_project: project.id, root: `/v3/${project.id}/requests`, owner, make };
  };

  describe('in any order', () => {
    let mixed: Awaited<ReturnType<typeof aProjectWith>>;
    before(async () => {
      mixed = await aProjectWith((at) => ({
        ...(at % 3 ? { duration: at % 4, closed_at: new Date(1000 * (at % 5)), ticket_id: at } : {}),
        priority: `${at % 2}`,
        createdAt: new Date(1e9 * (at % 3)),
      }));
    });

    for (const field of ['createdAt', 'priority', 'duration', 'closed_at', 'ticket_id'])
      it(`by ${field} is the list: equal and absent values included`, async () => {
        const { root, owner, id_project } = mixed;
        for (const direction of [1, -1] as const) {
          const walked = await walk(owner, `${root}?sortField=${field}&direction=${direction}&count=false`);
          const list = await Request.find({ id_project }).sort({ [field]: direction, _id: direction });
          expect(idsOf(walked)).to.deep.equal(idsOf(list));
        }
      });
  });

  it('has every record that was there once, whatever comes meanwhile', async () => {
    const { root, owner, make } = await aProjectWith(() => ({}));
    const before = idsOf((await api(owner).get(`${root}?limit=100`)).body.requests);
    let more = RECORDS;
    const walked = idsOf(await walk(owner, `${root}?count=false`, () => make(3, (more += 3))));
    expect(walked).to.deep.equal(before);
  });

  it('goes through leads too', async () => {
    const { project, owner } = await aProject();
    const own = { id_project: project.id, createdBy: 'x' };
    await Lead.insertMany(
      times(RECORDS, (at) => ({ ...own, lead_id: `${at}`, ...(at % 2 && { fullname: `${at % 3}` }) })),
    );
    const walked = await walk(owner, `/v3/${project.id}/leads?sortField=fullname&count=false`);
    const list = await Lead.find({ id_project: project.id }).sort({ fullname: -1, _id: -1 });
    expect(idsOf(walked)).to.deep.equal(idsOf(list));
  });

  it('is not begun anywhere, in another order or on another page: 422', async () => {
    const { root, owner } = await aProjectWith(() => ({}));
    const { next_cursor } = (await api(owner).get(`${root}?limit=5`)).body;
    const wrong = ['cursor=x', 'cursor=bnVsbA', `cursor=${next_cursor}&direction=1`, `cursor=${next_cursor}&page=1`];
    for (const query of [...wrong, `cursor=${next_cursor}&sort=priority`]) {
      const { status, body } = await api(owner).get(`${root}?limit=5&${query}`);
      expect([status, body.errors?.[0]?.path], query).to.deep.equal([422, 'cursor']);
    }
  });
});

describe('The count of a list', () => {
  it('is left out where it is not wanted', async () => {
    const { project, owner } = await aProject();
    for (const list of ['requests', 'leads'])
      expect((await api(owner).get(`/v3/${project.id}/${list}?count=false`)).body.count).to.equal(0);
  });
});
