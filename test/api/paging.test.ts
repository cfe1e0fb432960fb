/** Cursor pagination of long lists, including lists to which records are added during paging. */
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Lead } from '#shared/models/lead.ts';
import { api, type Caller } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';

const RECORDS = 23;
const PER_PAGE = 5;

type Row = Record<string, unknown> & { _id: string };

/** Reads every row of a list page by page, and calls `between` after each page. */
const readAllPages = async (caller: Caller, path: string, between: () => unknown = () => undefined): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, status } = await api(caller).get(`${path}&limit=${PER_PAGE}${cursor && `&cursor=${cursor}`}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    rows.push(...(body.requests ?? body.leads));
    cursor = body.next_cursor;
    await between();
  }
  return rows;
};

const idsOf = (rows: { _id: unknown }[]) => rows.map(({ _id }) => String(_id));

describe('Cursor pagination', () => {
  const aProjectWithConversations = async (fieldsOf: (index: number) => object) => {
    const { project, owner } = await aProject();
    const own = { id_project: project.id, first_text: 'Hi', createdBy: 'x' };
    const addConversations = (count: number, after = 0) =>
      Conversation.insertMany(
        times(count, (index) => ({ ...own, request_id: `${after + index}`, snapshot: {}, ...fieldsOf(after + index) })),
      );
    await addConversations(RECORDS);
    return { id_project: project.id, root: `/v3/${project.id}/requests`, owner, addConversations };
  };

  describe('Cursor pagination by a sort field', () => {
    let mixed: Awaited<ReturnType<typeof aProjectWithConversations>>;
    before(async () => {
      mixed = await aProjectWithConversations((index) => ({
        ...(index % 3 ? { duration: index % 4, closed_at: new Date(1000 * (index % 5)), ticket_id: index } : {}),
        priority: `${index % 2}`,
        createdAt: new Date(1e9 * (index % 3)),
      }));
    });

    for (const field of ['createdAt', 'priority', 'duration', 'closed_at', 'ticket_id'])
      it(`paging through conversations by ${field} returns all of them in order, including those with equal or absent values`, async () => {
        const { root, owner, id_project } = mixed;
        for (const direction of [1, -1] as const) {
          const paged = await readAllPages(owner, `${root}?sortField=${field}&direction=${direction}&count=false`);
          const list = await Conversation.find({ id_project }).sort({ [field]: direction, _id: direction });
          expect(idsOf(paged)).to.deep.equal(idsOf(list));
        }
      });
  });

  it('paging through conversations returns each existing conversation once while new ones are added', async () => {
    const { root, owner, addConversations } = await aProjectWithConversations(() => ({}));
    const before = idsOf((await api(owner).get(`${root}?limit=100`)).body.requests);
    let more = RECORDS;
    const paged = idsOf(await readAllPages(owner, `${root}?count=false`, () => addConversations(3, (more += 3))));
    expect(paged).to.deep.equal(before);
  });

  it('paging through leads by fullname returns all of them in order', async () => {
    const { project, owner } = await aProject();
    const own = { id_project: project.id, createdBy: 'x' };
    await Lead.insertMany(
      times(RECORDS, (index) => ({ ...own, lead_id: `${index}`, ...(index % 2 && { fullname: `${index % 3}` }) })),
    );
    const paged = await readAllPages(owner, `/v3/${project.id}/leads?sortField=fullname&count=false`);
    const list = await Lead.find({ id_project: project.id }).sort({ fullname: -1, _id: -1 });
    expect(idsOf(paged)).to.deep.equal(idsOf(list));
  });

  it('an invalid cursor, and a cursor with another sort order or with a page number, are refused (422)', async () => {
    const { root, owner } = await aProjectWithConversations(() => ({}));
    const { next_cursor } = (await api(owner).get(`${root}?limit=5`)).body;
    const wrong = ['cursor=x', 'cursor=bnVsbA', `cursor=${next_cursor}&direction=1`, `cursor=${next_cursor}&page=1`];
    for (const query of [...wrong, `cursor=${next_cursor}&sort=priority`]) {
      const { status, body } = await api(owner).get(`${root}?limit=5&${query}`);
      expect([status, body.errors?.[0]?.path], query).to.deep.equal([422, 'cursor']);
    }
  });
});

describe('List counts', () => {
  it('a list of conversations or leads with `count=false` has a count of 0', async () => {
    const { project, owner } = await aProject();
    for (const list of ['requests', 'leads'])
      expect((await api(owner).get(`/v3/${project.id}/${list}?count=false`)).body.count).to.equal(0);
  });
});
