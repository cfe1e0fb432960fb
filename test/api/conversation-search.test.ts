/** The parameter `full_text` of the lists of conversations and messages. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { leadSnapshot, notesOf, storeConversations, storeMessage } from '../support/searchable-conversations.ts';

type SearchResult = Record<string, unknown> & { request_id: string; score: number };

const aProjectWith = async (conversations: Parameters<typeof storeConversations>[1]) => {
  const { project, owner, agent, guest } = await aProject();
  const root = `/v3/${project.id}/requests`;
  await storeConversations(project.id, conversations);
  const search = async (full_text: string, more = '', caller = owner) => {
    const { body } = await api(caller).get(`${root}?full_text=${encodeURIComponent(full_text)}${more}`);
    return body as { requests: SearchResult[]; count: number; next_cursor: string | null };
  };
  const idsOf = async (full_text: string, more?: string, caller?: typeof owner) =>
    (await search(full_text, more, caller)).requests.map(({ request_id }) => request_id);
  return { id_project: project.id, root, owner, agent, guest, search, idsOf };
};

describe('Conversation search with full_text', () => {
  it('a conversation search finds conversations that contain every word of the query, in their own texts or in any of their messages', async () => {
    const { idsOf } = await aProjectWith([
      { request_id: 'a', subject: 'Rücksendung', messages: ['The parcel is broken', 'Order 4711'] },
      { request_id: 'b', first_text: 'Where is my parcel?', tags: [{ tag: 'VIP' }], ...notesOf('angry') },
      { request_id: 'c', rating_message: 'parcel came', ...leadSnapshot({ fullname: 'Zoë', email: 'zoe@x.org' }) },
      { request_id: 'd', messages: ['nothing of this kind'], status: 1000 },
    ]);
    const cases: Record<string, string[]> = {
      parcel: ['a', 'b', 'c'],
      'PARCEL 4711': ['a'],
      'parcel rucksendung broken': ['a'],
      'vip angry': ['b'],
      zoe: ['c'],
      'zoe@x.org': ['c'],
      'x.org': ['c'],
      kind: [],
      'parcel absent': [],
      parc: [],
      '…': [],
    };
    for (const [text, ids] of Object.entries(cases)) expect(await idsOf(text), text).to.have.members(ids);
    expect(await idsOf('kind', '&status=all')).to.deep.equal(['d']);
    expect(await idsOf('parcel', '&tags=VIP')).to.deep.equal(['b']);
    expect(await idsOf('', '&limit=2')).to.have.length(2);
  });

  it('a conversation search sorts by score, or by date with no_textscore, and returns the highlights', async () => {
    const { search, root, owner } = await aProjectWith([
      { request_id: 'best', subject: 'Refund', messages: ['A refund, please', 'refund!'] },
      { request_id: 'some', messages: ['Is a <b>refund</b> possible?'] },
    ]);
    const [best, second] = (await search('refund')).requests as [SearchResult, SearchResult];
    expect([best.request_id, second.request_id]).to.deep.equal(['best', 'some']);
    expect(best.score).to.be.greaterThan(second.score).and.greaterThan(0);
    expect(second.highlights).to.deep.equal([
      {
        path: 'messages.text',
        texts: [
          { value: 'Is a <b>', type: 'text' },
          { value: 'refund', type: 'hit' },
          { value: '</b> possible?', type: 'text' },
        ],
      },
    ]);
    const { requests, count } = await search('refund', '&no_textscore=true&no_populate=true');
    expect(count).to.equal(2);
    for (const request of requests) expect(request).to.not.have.property('score');
    const { body } = await api(owner).get(root);
    for (const request of body.requests) expect(request).to.not.have.any.keys('score', 'highlights');
    const { text } = await api(owner).get(`${root}/csv?full_text=possible`);
    expect(text).to.include('some').and.not.include('best');
  });

  it('paging through search results yields no gaps or duplicates while new messages arrive', async () => {
    const all = times(700, (index) => ({
      request_id: `r${index}`,
      messages: index % 2 ? ['common word'] : ['a word', 'a word more'],
    }));
    const { id_project, search, idsOf } = await aProjectWith(all);
    const walkPages = async (text: string): Promise<string[]> => {
      const foundIds: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await search(text, `&limit=100${cursor && `&cursor=${cursor}`}`);
        foundIds.push(...page.requests.map(({ request_id }) => request_id));
        cursor = page.next_cursor;
        await storeConversations(id_project, [{ request_id: randomUUID(), messages: ['a word'] }]);
        await storeMessage(id_project, 'r0', 'a word once more');
      }
      return foundIds;
    };
    const ids = all.map(({ request_id }) => request_id);
    const evens = ids.filter((_, index) => index % 2 === 0);
    const [twoWordIds, oneWordIds] = [await walkPages('a word'), await walkPages('word')];
    expect(twoWordIds).to.have.length(evens.length).and.to.have.members(evens);
    expect(oneWordIds.filter((id) => id.startsWith('r')))
      .to.have.length(ids.length)
      .and.to.have.members(ids);
    const [one, two] = [await idsOf('common', '&limit=60'), await idsOf('common', '&limit=60&page=1')];
    expect(new Set([...one, ...two])).to.have.length(120);
    expect((await idsOf('common', '&limit=100&page=3')).length).to.equal(50);
  });

  it('a conversation search rejects the cursor of another search or list with 422', async () => {
    const { root, owner, search } = await aProjectWith(
      times(3, (index) => ({ request_id: `${index}`, messages: ['word'] })),
    );
    const { next_cursor } = await search('word', '&limit=1');
    const { body } = await api(owner).get(`${root}?limit=1`);
    const wrong = [
      `full_text=other&cursor=${next_cursor}`,
      `full_text=word&no_textscore=true&cursor=${next_cursor}`,
      `full_text=word&page=1&cursor=${next_cursor}`,
      `full_text=word&cursor=${body.next_cursor}`,
      `cursor=${next_cursor}`,
    ];
    for (const query of wrong) expect((await api(owner).get(`${root}?${query}`)).status, query).to.equal(422);
  });

  it("an agent's search returns only the agent's own conversations and finds changed conversations by their new words", async () => {
    const { project, owner, agent, one, root } = await aConversation({ text: 'A lost umbrella' });
    await storeConversations(project.id, [{ request_id: 'foreign', first_text: 'An umbrella' }]);
    const idsOf = async (text: string, caller = owner) =>
      (await api(caller).get(`${root}?full_text=${text}`)).body.requests.map((row: SearchResult) => row.request_id);
    expect(await idsOf('umbrella')).to.have.length(2);
    expect(await idsOf('umbrella', agent)).to.have.length(1);
    await api(owner).patch(one, { subject: 'Lost property' });
    await api(owner).post(`${one}/notes`, { text: 'black' });
    await api(owner).put(`${one}/tag`, [{ tag: 'found' }]);
    expect(await idsOf('property black found')).to.have.length(1);
    await api(owner).patch(one, { subject: 'Closed' });
    expect(await idsOf('property')).to.deep.equal([]);
  });
});

describe('Conversation search of visitors', () => {
  it("a visitor's search finds the visitor's own conversations by visible texts, never by private messages, notes or tags", async () => {
    const { root, owner, guest, id_project } = await aProjectWith([]);
    const hidden = { text: 'secret word', attributes: { subtype: 'private' } };
    await storeConversations(id_project, [
      {
        request_id: 'own',
        messages: ['A visible word', hidden],
        ...notesOf('noted'),
        tags: [{ tag: 'tagged' }],
        ...leadSnapshot({ lead_id: guest.id, fullname: 'Guest' }),
      },
      { request_id: 'foreign', messages: ['A visible word'] },
    ]);
    const search = async (text: string, caller = guest, path = '/me') =>
      (await api(caller).get(`${root}${path}?no_populate=true&full_text=${text}`)).body.requests as SearchResult[];
    const [own, ...rest] = await search('visible');
    expect([own?.request_id, rest]).to.deep.equal(['own', []]);
    expect(JSON.stringify(own)).to.not.include('secret').and.not.include('noted');
    for (const text of ['secret', 'noted', 'tagged', 'visible secret'])
      expect(await search(text), text).to.deep.equal([]);
    expect(await search('secret noted tagged', owner, '')).to.have.length(1);
  });
});

describe('Message search', () => {
  it('a message search finds the messages of a project that contain every word of the query, including direct messages', async () => {
    const { id_project, owner, agent, idsOf } = await aProjectWith([
      { request_id: 'a', messages: ['Where is my parcel?', 'The parcel is lost'] },
    ]);
    const root = `/v3/${id_project}/messages`;
    await storeConversations(id_project, [{ request_id: agent.id, first_text: 'Hello' }]);
    const direct = { recipient: agent.id, recipientFullname: 'Ann', text: 'Look for the parcel' };
    expect((await api(owner).post(root, direct)).status).to.equal(200);
    const search = async (query: string) => (await api(owner).get(`${root}?full_text=${query}`)).body;
    const textsOf = async (query: string) => (await search(query)).map(({ text }: { text: string }) => text);
    expect(await textsOf('parcel')).to.deep.equal([direct.text, 'The parcel is lost', 'Where is my parcel?']);
    expect(await textsOf('is+parcel&limit=1')).to.deep.equal(['The parcel is lost']);
    expect(await textsOf('absent')).to.deep.equal([]);
    expect((await search('lost'))[0].highlights[0].texts).to.deep.include({ value: 'lost', type: 'hit' });
    expect(await idsOf('parcel')).to.deep.equal(['a']);
    expect(await idsOf('look')).to.deep.equal([]);
  });
});

describe('Conversation list filtered by location', () => {
  it('the location filter returns the conversations whose location contains the given name', async () => {
    const { root, owner } = await aProjectWith([
      { request_id: 'rome', location: { city: 'Rome', country: 'Italy' } },
      { request_id: 'bari', location: { city: 'Bari', country: 'Italy' } },
    ]);
    const count = async (location: string) => (await api(owner).get(`${root}?location=${location}`)).body.count;
    expect([await count('Rome'), await count('Italy'), await count('rome')]).to.deep.equal([1, 2, 0]);
  });
});
