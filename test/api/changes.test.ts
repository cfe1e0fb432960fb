import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { inTransaction } from '#shared/database/connection.ts';
import { recordAccessChange } from '#shared/domain/access/access-changes.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { aPosition, appendChanges, appendGap, numberedChanges, removeGaps } from '../support/append-changes.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const EXPIRED_AGE_SECONDS = config.CHANGES_TTL_SECONDS + 60;
const numbers = (changes: { payload: { n: number } }[]): number[] => changes.map(({ payload }) => payload.n);

describe('GET /v3/:project_id/changes', () => {
  let fixture: ProjectFixture;
  let projectId: string;
  /** The cursor after the events of the project's creation. */
  let start: string;

  const readChanges = (query: string, caller: Caller = fixture.agent) =>
    api(caller).get(`/v3/${projectId}/changes${query}`);

  beforeEach(async () => {
    fixture = await aProject();
    projectId = fixture.project.id;
    start = (await relayedChanges(projectId)).at(-1)?.position ?? '0';
  });

  it('GET …/changes without a cursor returns no changes, only the current cursor', async () => {
    await appendChanges(projectId, ...numberedChanges(2));
    const { body } = await readChanges('');
    expect(body.changes).to.deep.equal([]);
    await appendChanges(projectId, { payload: { n: 9 } });
    expect(numbers((await readChanges(`?after=${body.next}`)).body.changes)).to.deep.equal([9]);
  });

  it('GET …/changes without a cursor returns a usable cursor even if the project has no new changes', async () => {
    const { next } = (await readChanges('')).body;
    await appendChanges(projectId, ...numberedChanges(1));
    expect(numbers((await readChanges(`?after=${next}`)).body.changes)).to.deep.equal([0]);
  });

  it('GET …/changes returns all changes in order, page by page, each with its cursor', async () => {
    const positions = await appendChanges(projectId, ...numberedChanges(7));
    const first = (await readChanges(`?after=${start}&limit=3`)).body;
    expect(numbers(first.changes)).to.deep.equal([0, 1, 2]);
    expect(first.changes[0]).to.include({ cursor: positions[0], id: `tests/${positions[0]}`, event: 'project.create' });
    expect(first.next).to.equal(positions[2]);
    const rest = (await readChanges(`?after=${first.next}`)).body;
    expect([numbers(rest.changes), rest.next]).to.deep.equal([[3, 4, 5, 6], positions[6]]);
    expect((await readChanges(`?after=${rest.next}`)).body.changes).to.deep.equal([]);
  });

  it('GET …/changes returns 422 for an invalid cursor, a limit outside the range 1 to 500, and a wait of more than 25 seconds', async () => {
    for (const query of ['after=x', 'after=82zz', 'after=0&limit=0', 'limit=501', 'wait=26', 'wait=-1']) {
      const { status, body } = await readChanges(`?${query}`);
      expect([status, body.code], query).to.deep.equal([422, 'INVALID']);
    }
    expect((await readChanges('?after=0&limit=500&wait=0')).status).to.equal(200);
  });

  it('GET …/changes with `wait` returns the next change of the project as soon as it is recorded', async () => {
    const { next } = (await readChanges('')).body;
    const waiting = readChanges(`?after=${next}&wait=20`);
    const other = await aProject();
    await appendChanges(other.project.id, { payload: { n: 5 } });
    await appendChanges(projectId, { payload: { n: 1 } });
    expect(numbers((await waiting).body.changes)).to.deep.equal([1]);
  });

  it('GET …/changes returns 403 to a caller who loses access while waiting', async () => {
    const { next } = (await readChanges('')).body;
    const waiting = readChanges(`?after=${next}&wait=20`);
    await readChanges('');
    const membership = { id_project: projectId, id_user: fixture.agent.id };
    await inTransaction(async (session) => {
      await ProjectUser.updateOne(membership, { status: 'disabled' }, { session });
      await recordAccessChange({ user: fixture.agent.id, project: projectId }, session);
    });
    await waitUntil(async () => (await readChanges('')).status === 403);
    await appendChanges(projectId, ...numberedChanges(1));
    expect((await waiting).status).to.equal(403);
  });

  it('GET …/changes returns an empty page when the wait is over', async () => {
    const { status, body } = await readChanges(`?after=${aPosition()}&wait=1`);
    expect([status, body.changes]).to.deep.equal([200, []]);
  });

  it('GET …/changes returns 410 GAP if changes may be missing, with the cursor to continue from', async () => {
    const [first] = await appendChanges(projectId, ...numberedChanges(2));
    try {
      const [gap] = await appendGap();
      await appendChanges(projectId, { payload: { n: 3 } });
      const { status, body } = await readChanges(`?after=${first}`);
      expect(status).to.equal(410);
      expect(body).to.include({ success: false, code: 'GAP', next: gap });
      expect(body.error).to.be.a('string');
      expect(numbers((await readChanges(`?after=${body.next}`)).body.changes)).to.deep.equal([3]);
      expect(
        numbers((await readChanges('?after=0')).body.changes),
        'after=0 starts after the last gap in the log',
      ).to.deep.equal([3]);
    } finally {
      await removeGaps();
    }
  });

  it('GET …/changes returns 410 GAP to a waiting caller when a gap in the log is recorded', async () => {
    const { next } = (await readChanges('')).body;
    const waiting = readChanges(`?after=${next}&wait=20`);
    try {
      const [gap] = await appendGap();
      expect((await waiting).body).to.include({ code: 'GAP', next: gap });
    } finally {
      await removeGaps();
    }
  });

  it('GET …/changes returns 410 GAP for a cursor that is older than the log', async () => {
    const [last] = await appendChanges(projectId, ...numberedChanges(1));
    const { status, body } = await readChanges(`?after=${aPosition(EXPIRED_AGE_SECONDS)}`);
    expect([status, body.code, body.next]).to.deep.equal([410, 'GAP', last]);
  });

  it('GET …/changes replaces a cursor that will soon be older than the log, even if there are no changes', async () => {
    const oldCursor = aPosition(config.CHANGES_TTL_SECONDS * 0.9);
    const { body } = await readChanges(`?after=${oldCursor}`, fixture.guest);
    expect(body.next > oldCursor).to.equal(true);
    expect(body.next < aPosition(config.CHANGES_TTL_SECONDS / 2 - 60)).to.equal(true);
  });

  it('GET …/changes returns to a visitor only changes to their own conversations, with the fields that visitors may see', async () => {
    const other = { id: randomUUID() };
    const own = { visitor: fixture.guest.id };
    await appendChanges(
      projectId,
      { payload: { secret: 'team' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 1 } },
      { ...own, payload: { secret: 'private message' } },
      { visitor: other.id, payload: { secret: 'whole' }, visitor_payload: { secret: 'of another' } },
      { ...own, payload: { secret: 'whole' }, visitor_payload: { n: 2 } },
    );
    const seen = await readChanges('?after=0', fixture.guest);
    expect(numbers(seen.body.changes)).to.deep.equal([1, 2]);
    expect(seen.text).to.not.include('secret');
    expect((await readChanges(`?after=${start}`)).body.changes).to.have.lengthOf(5);
  });

  it('the current cursor of a visitor does not reveal changes that the visitor may not see', async () => {
    const [foreign] = await appendChanges(projectId, { payload: {} });
    expect((await readChanges('', fixture.guest)).body.next).to.not.equal(foreign);
    expect((await readChanges('')).body.next).to.equal(foreign);
  });

  it('a new change causes no database read while no caller is waiting for changes', async () => {
    const { next } = (await readChanges('')).body;
    await readChanges(`?after=${next}&wait=1`);
    const commands = await commandsDuring(() => appendChanges(projectId, ...numberedChanges(3)));
    expect(commands.map((command) => Object.keys(command as object)[0])).to.deep.equal(['insert']);
  });
});
