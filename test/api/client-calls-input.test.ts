/** Input as deployed clients send it: empty values, flags and numbers as strings, unknown sort fields. */
import { expect } from 'chai';
import { bothProfiles } from '../support/both-profiles.ts';
import { aConversation } from '../support/conversations.ts';

/** The query that the filter form of a dashboard sends for a list of conversations when no filter is set. */
const EMPTY_FILTERS = [
  ...[
    'dept_id',
    'participant',
    'tags',
    'channel',
    'requester_email',
    'lead',
    'priority',
    'caller',
    'called',
    'call_id',
  ],
  ...['rated', 'hasbot', 'draft', 'preflight', 'abandoned', 'smartAssignment', 'duration', 'duration_op', 'timezone'],
  ...['filterRangeField', 'sortField', 'sort', 'direction', 'page', 'limit', 'status', 'start_date', 'end_date'],
  ...['start_date_time', 'end_date_time', 'full_text', 'segment', 'location', 'phone', 'ticket_id', 'no_populate'],
  ...['snap_department_default', 'snap_department_id_bot', 'workingStatus[ne]', 'workingStatus[in]', 'cursor', 'count'],
]
  .map((name) => `${encodeURIComponent(name)}=`)
  .join('&');

describe('Input sent by deployed clients', () => {
  const profiles = bothProfiles();
  let conversation: Awaited<ReturnType<typeof aConversation>>;

  before(async () => {
    conversation = await aConversation();
  });

  it('a list of conversations with only empty filters equals the list without filters', async () => {
    const { root, agent, owner, request_id } = conversation;
    await profiles.each(async (send) => {
      for (const as of [owner, agent]) {
        const list = (query: string) => send({ client: 'dashboard', method: 'GET', path: `${root}?${query}`, as });
        const [empty, bare] = [await list(EMPTY_FILTERS), await list('')];
        expect([empty.status, empty.body]).to.deep.equal([200, bare.body]);
      }
      const path = `${root}/csv?${EMPTY_FILTERS}`;
      expect((await send({ client: 'dashboard', method: 'GET', path, as: owner })).text).to.include(request_id);
    });
  });

  it('a list of leads with only empty filters equals the list without filters', async () => {
    const { project, owner } = conversation;
    const names = [
      'email',
      'tags',
      'full_text',
      'with_email',
      'with_fullname',
      'segment',
      'status',
      'sort',
      'direction',
    ];
    await profiles.each(async (send) => {
      const list = async (query: string) =>
        (await send({ client: 'dashboard', method: 'GET', path: `/v3/${project.id}/leads?${query}`, as: owner })).body;
      const empty = await list(names.map((name) => `${name}=`).join('&'));
      expect(empty).to.deep.equal(await list(''));
      expect(empty.count).to.be.at.least(1);
    });
  });

  it('a form body may contain flags and numbers as strings', async () => {
    await profiles.each(async (send) => {
      const { one, owner, project } = await aConversation();
      const put = (path: string, body: string) => send({ client: 'library', method: 'PUT', path, as: owner, body });
      const moved = await put(`${one}/departments`, 'no_populate=true&nobot=false');
      expect([moved.status, typeof moved.body.lead]).to.deep.equal([200, 'string']);
      const self = await put(`/v3/${project.id}/project_users`, 'user_available=false&max_assigned_chat=7');
      expect([self.status, self.body.user_available, self.body.max_assigned_chat]).to.deep.equal([200, false, 7]);
      const again = await put(`${one}/close`, 'force=true');
      expect([again.status, again.body.status]).to.deep.equal([200, 1000]);
    });
  });

  it('a JSON body may contain flags and numbers as strings', async () => {
    await profiles.each(async (send) => {
      const { one, owner, project } = await aConversation();
      const patch = (path: string, body: object) => send({ client: 'library', method: 'PATCH', path, as: owner, body });
      const changed = await patch(`${one}/`, { rating: '4', status: '150', smartAssignment: 'false' });
      expect(changed.body).to.include({ rating: 4, status: 150, smartAssignment: false });
      const settings = { 'settings.max_agent_assigned_chat': '3', 'settings.chat_limit_on': 'true' };
      const { status, body } = await patch(`/v3/projects/${project.id}`, {
        ...settings,
        activeOperatingHours: 'false',
      });
      expect([status, body.activeOperatingHours]).to.deep.equal([200, false]);
      expect(body.settings).to.include({ max_agent_assigned_chat: 3, chat_limit_on: true });
    });
  });

  it('a field that requires a flag or a number refuses any other string with 422', async () => {
    const { one, owner } = conversation;
    await profiles.each(async (send) => {
      for (const body of [{ smartAssignment: 'maybe' }, { rating: 'four' }, { rating: '0x4' }, { status: '1e999' }]) {
        const reply = await send({ client: 'library', method: 'PATCH', path: `${one}/`, as: owner, body });
        expect([reply.status, reply.body.errors[0].path]).to.deep.equal([422, Object.keys(body)[0]]);
      }
    });
  });

  it('a message may have any integer as its status', async () => {
    const { one, agent } = conversation;
    await profiles.each(async (send) => {
      const statuses = [1000, -5000, 12_345_678];
      for (const status of statuses) {
        const body = { text: 'seen', status };
        const reply = await send({ client: 'library', method: 'POST', path: `${one}/messages`, as: agent, body });
        expect([reply.status, reply.body.status]).to.deep.equal([200, status]);
      }
    });
  });

  it('a validation error has its description in `message`, and in `msg` the text that the wire profile defines', async () => {
    const body = { email: 'nobody', password: 'correct horse', firstname: 'Ann', lastname: 'Lee' };
    const msgs = { specification: 'email must be an email address', 'deployed-clients': 'Invalid value' };
    await profiles.each(async (send, profile) => {
      const reply = await send({ client: 'library', method: 'POST', path: '/v3/auth/signup', body });
      const [first] = reply.body.errors;
      expect([reply.status, reply.body.errors.length]).to.deep.equal([422, 1]);
      expect(first).to.include({ param: 'email', location: 'body', value: 'nobody', msg: msgs[profile] });
      expect(first.message).to.equal('email must be an email address');
      expect(reply.body.msg).to.equal('email must be an email address');
    });
  });

  it('a list request with an unknown sortField returns 422 in the specification profile and the default order in deployed-clients', async () => {
    const { project, owner } = conversation;
    const lists = ['requests', 'leads', 'tags', 'project_users', 'segments', 'events', 'canned'];
    await profiles.each(async (send, profile) => {
      for (const name of lists) {
        const list = (query: string) =>
          send({ client: 'dashboard', method: 'GET', path: `/v3/${project.id}/${name}?${query}`, as: owner });
        const [sorted, usual] = [await list('sortField=waiting_since&direction=-1'), await list('direction=-1')];
        if (profile === 'specification') expect([name, sorted.status]).to.deep.equal([name, 422]);
        else expect([name, sorted.status, sorted.body]).to.deep.equal([name, 200, usual.body]);
      }
    });
  });
});
