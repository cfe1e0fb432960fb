import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { accessChanged } from '#shared/domain/access/access.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { inTransaction } from '#shared/mongo.ts';
import { api, type Caller } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { commandsDuring } from '../support/commands.ts';
import { append, appendGap, aPosition, closeGaps, many } from '../support/log-entries.ts';
import { randomUUID } from 'node:crypto';
import { aProject } from '../support/people.ts';
import { until } from '../support/until.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const AGED = config.CHANGES_TTL + 60;
const numbers = (changes: { payload: { n: number } }[]): number[] => changes.map(({ payload }) => payload.n);

describe('The changes of a project', () => {
  let world: World;
  let pid: string;
  /** The cursor behind what making the project told. */
  let start: string;

  const ask = (query: string, caller: Caller = world.agent) => api(caller).get(`/v3/${pid}/changes${query}`);

  beforeEach(async () => {
    world = await aProject();
    pid = world.project.id;
    start = (await changes(pid)).at(-1)?.position ?? '0';
  });

  it('are none without a cursor, but the cursor of now', async () => {
    await append(pid, ...many(2));
    const { body } = await ask('');
    expect(body.changes).to.deep.equal([]);
    await append(pid, { payload: { n: 9 } });
    expect(numbers((await ask(`?after=${body.next}`)).body.changes)).to.deep.equal([9]);
  });

  it('have a cursor of now before the first of them', async () => {
    const { next } = (await ask('')).body;
    await append(pid, ...many(1));
    expect(numbers((await ask(`?after=${next}`)).body.changes)).to.deep.equal([0]);
  });

  it('come whole and in order, a page at a time, each with its cursor', async () => {
    const positions = await append(pid, ...many(7));
    const first = (await ask(`?after=${start}&limit=3`)).body;
    expect(numbers(first.changes)).to.deep.equal([0, 1, 2]);
    expect(first.changes[0]).to.include({ cursor: positions[0], id: `tests/${positions[0]}`, event: 'project.create' });
    expect(first.next).to.equal(positions[2]);
    const rest = (await ask(`?after=${first.next}`)).body;
    expect([numbers(rest.changes), rest.next]).to.deep.equal([[3, 4, 5, 6], positions[6]]);
    expect((await ask(`?after=${rest.next}`)).body.changes).to.deep.equal([]);
  });

  it('are asked for with a cursor, 1 to 500 at once and 25 seconds at most (422)', async () => {
    for (const query of ['after=x', 'after=82zz', 'after=0&limit=0', 'limit=501', 'wait=26', 'wait=-1']) {
      const { status, body } = await ask(`?${query}`);
      expect([status, body.code], query).to.deep.equal([422, 'INVALID']);
    }
    expect((await ask('?after=0&limit=500&wait=0')).status).to.equal(200);
  });

  it('are waited for until the first one comes', async () => {
    const { next } = (await ask('')).body;
    const waiting = ask(`?after=${next}&wait=20`);
    const other = await aProject();
    await append(other.project.id, { payload: { n: 5 } });
    await append(pid, { payload: { n: 1 } });
    expect(numbers((await waiting).body.changes)).to.deep.equal([1]);
  });

  it('are not told to who has lost the access while waiting', async () => {
    const { next } = (await ask('')).body;
    const waiting = ask(`?after=${next}&wait=20`);
    await ask('');
    const membership = { id_project: pid, id_user: world.agent.id };
    await inTransaction(async (session) => {
      await ProjectUser.updateOne(membership, { status: 'disabled' }, { session });
      await accessChanged({ user: world.agent.id, project: pid }, session);
    });
    await until(async () => (await ask('')).status === 403);
    await append(pid, ...many(1));
    expect((await waiting).status).to.equal(403);
  });

  it('are waited for no longer than was said', async () => {
    const { status, body } = await ask(`?after=${aPosition()}&wait=1`);
    expect([status, body.changes]).to.deep.equal([200, []]);
  });

  it('that may be missing are a gap (410), with the cursor to go on from', async () => {
    const [first] = await append(pid, ...many(2));
    try {
      const [gap] = await appendGap();
      await append(pid, { payload: { n: 3 } });
      const { status, body } = await ask(`?after=${first}`);
      expect(status).to.equal(410);
      expect(body).to.include({ success: false, code: 'GAP', next: gap });
      expect(body.error).to.be.a('string');
      expect(numbers((await ask(`?after=${body.next}`)).body.changes)).to.deep.equal([3]);
      expect(numbers((await ask('?after=0')).body.changes), 'the oldest that no gap follows').to.deep.equal([3]);
    } finally {
      await closeGaps();
    }
  });

  it('tell a gap to who waits', async () => {
    const { next } = (await ask('')).body;
    const waiting = ask(`?after=${next}&wait=20`);
    try {
      const [gap] = await appendGap();
      expect((await waiting).body).to.include({ code: 'GAP', next: gap });
    } finally {
      await closeGaps();
    }
  });

  it('before a cursor that is older than the log may be missing (410)', async () => {
    const [last] = await append(pid, ...many(1));
    const { status, body } = await ask(`?after=${aPosition(AGED)}`);
    expect([status, body.code, body.next]).to.deep.equal([410, 'GAP', last]);
  });

  it('never leave a cursor to grow old where nothing happens', async () => {
    const asked = aPosition(config.CHANGES_TTL * 0.9);
    const { body } = await ask(`?after=${asked}`, world.guest);
    expect(body.next > asked).to.equal(true);
    expect(body.next < aPosition(config.CHANGES_TTL / 2 - 60)).to.equal(true);
  });

  it('are, for a visitor, those of its own conversations, as it may see them (decision 57)', async () => {
    const other = { id: randomUUID() };
    const own = { visitor: world.guest.id };
    await append(
      pid,
      { payload: { secret: 'team' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 1 } },
      { ...own, payload: { secret: 'private message' } },
      { visitor: other.id, payload: { secret: 'whole' }, visitor_payload: { secret: 'of another' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 2 } },
    );
    const seen = await ask('?after=0', world.guest);
    expect(numbers(seen.body.changes)).to.deep.equal([1, 2]);
    expect(seen.text).to.not.include('secret');
    expect((await ask(`?after=${start}`)).body.changes).to.have.lengthOf(5);
  });

  it('tell a visitor nothing by the cursor of now', async () => {
    const [foreign] = await append(pid, { payload: {} });
    expect((await ask('', world.guest)).body.next).to.not.equal(foreign);
    expect((await ask('')).body.next).to.equal(foreign);
  });

  it('cost the database nothing while nobody waits', async () => {
    const { next } = (await ask('')).body;
    await ask(`?after=${next}&wait=1`);
    const commands = await commandsDuring(() => append(pid, ...many(3)));
    expect(commands.map((command) => Object.keys(command as object)[0])).to.deep.equal(['insert']);
  });
});
