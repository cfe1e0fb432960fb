/** Quoted phrases in the `full_text` parameter of the lists of conversations. */
import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import {
  leadSnapshot,
  notesOf,
  type SearchableConversation,
  storeConversations,
} from '../support/searchable-conversations.ts';

type SearchResult = { request_id: string };

interface SearchOptions {
  more?: string;
  path?: string;
  caller?: Caller;
}

const aSearchFixture = async (conversations: SearchableConversation[]) => {
  const { project, owner, guest } = await aProject();
  const root = `/v3/${project.id}/requests`;
  await storeConversations(project.id, conversations);
  const list = async (full_text: string, { more = '', path = '', caller = owner }: SearchOptions = {}) => {
    const { body } = await api(caller).get(`${root}${path}?full_text=${encodeURIComponent(full_text)}${more}`);
    return body as { requests: SearchResult[]; count: number; next_cursor: string | null };
  };
  const idsOf = async (...args: Parameters<typeof list>) =>
    (await list(...args)).requests.map(({ request_id }) => request_id);
  return { id_project: project.id, root, owner, guest, list, idsOf };
};

const isFoundBy = async (text: string, query: string): Promise<boolean> => {
  const { idsOf } = await aSearchFixture([{ request_id: 'a', messages: [text] }]);
  return (await idsOf(query)).length === 1;
};

describe('Phrase search in conversations', () => {
  it('a phrase search finds adjacent words in the given order within one text of a conversation', async () => {
    const { idsOf } = await aSearchFixture([
      { request_id: 'phrase', messages: ['I have two words for you'] },
      { request_id: 'reversed', messages: ['words of two kinds'] },
      { request_id: 'apart', messages: ['two more words'] },
      { request_id: 'split', messages: ['just two', 'words left'] },
      { request_id: 'subject', subject: 'Two, words!' },
      { request_id: 'note', ...notesOf('TWO WORDS') },
      { request_id: 'lead', ...leadSnapshot({ fullname: 'Two Words', email: 'two@words.org' }) },
    ]);
    const all = ['phrase', 'reversed', 'apart', 'split', 'subject', 'note', 'lead'];
    const expectedIds = ['phrase', 'subject', 'note', 'lead'];
    expect(await idsOf('two words')).to.have.members(all);
    for (const quoted of ['"two words"', '“two words”', '«Two Words»', '"two words']) {
      expect(await idsOf(quoted), quoted).to.have.members(quoted === '"two words' ? all : expectedIds);
      expect(await idsOf(quoted, { more: '&no_textscore=true' }), quoted).to.have.members(
        quoted === '"two words' ? all : expectedIds,
      );
    }
  });

  it('a phrase search with several phrases and words finds conversations that contain all of them', async () => {
    const { idsOf, root, owner } = await aSearchFixture([
      { request_id: 'first', messages: ['the red parcel is lost', 'blue paper is here'] },
      { request_id: 'second', messages: ['the red parcel is blue', 'paper is lost'] },
    ]);
    expect(await idsOf('"red parcel" "blue paper"')).to.deep.equal(['first']);
    expect(await idsOf('"red parcel" lost')).to.have.members(['first', 'second']);
    expect(await idsOf('"parcel is lost" here')).to.deep.equal(['first']);
    expect(await idsOf('"red parcel" absent')).to.deep.equal([]);
    const csv = async (full_text: string) =>
      (await api(owner).get(`${root}/csv?full_text=${encodeURIComponent(full_text)}`)).text.trim().split(/\r?\n/);
    expect([(await csv('blue paper')).length, (await csv('"blue paper"')).length]).to.deep.equal([3, 2]);
  });

  for (const [language, text, phrase, other] of [
    ['German', 'Die Rücksendung der Größe XL', 'rucksendung der grosse', 'Größe der'],
    ['Russian', 'Мой заказ ещё не пришёл', 'заказ еще', 'еще заказ'],
    ['Arabic', 'أين طلبي الجديد من فضلك', 'طلبي الجديد', 'الجديد طلبي'],
    ['Chinese', '我的订单还没有到', '订单还没有', '没有订单'],
    ['Japanese', '注文した商品が届きません', '商品が届き', '届き商品'],
    ['Thai', 'ฉันต้องการคืนสินค้า', 'คืนสินค้า', 'สินค้าคืน'],
    ['Korean', '제 주문이 아직 안 왔어요', '주문이 아직', '아직 주문이'],
    [
      'English with an email address',
      'Write to ann@example.com today',
      'ann@example.com today',
      'today ann@example.com',
    ],
  ] as const) {
    it(`a phrase search finds a phrase in ${language}`, async () => {
      const query = language === 'German' ? phrase.replace('grosse', 'größe') : phrase;
      expect([await isFoundBy(text, `"${query}"`), await isFoundBy(text, `"${other}"`)]).to.deep.equal([true, false]);
    });
  }

  it('pages of a phrase search have no gaps or duplicates, and a cursor is valid for the same phrase only', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const { list, root, owner } = await aSearchFixture(
      numbers.map((index) => ({
        request_id: `r${index}`,
        messages: [index % 3 ? `late parcel ${index}` : `parcel ${index} late`],
      })),
    );
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list('"late parcel"', { more: `&limit=7${cursor && `&cursor=${cursor}`}` });
      seen.push(...page.requests.map(({ request_id }) => request_id));
      cursor = page.next_cursor ?? '';
      if (!cursor) expect(page.count).to.equal(20);
    } while (cursor);
    expect(seen.toSorted()).to.deep.equal(
      numbers
        .filter((index) => index % 3)
        .map((index) => `r${index}`)
        .toSorted(),
    );
    const first = await list('"late parcel"', { more: '&limit=7' });
    const other = await api(owner).get(`${root}?full_text=late+parcel&limit=7&cursor=${first.next_cursor}`);
    expect(other.status).to.equal(422);
  });

  it('a phrase search of a visitor does not find private messages or notes', async () => {
    const { idsOf, id_project, guest } = await aSearchFixture([]);
    const hidden = { text: 'a secret phrase', attributes: { subtype: 'private' } };
    const own = { messages: ['phrase of a secret', 'an open phrase', hidden], ...notesOf('noted phrase') };
    await storeConversations(id_project, [
      { request_id: 'own', ...own, ...leadSnapshot({ lead_id: guest.id, fullname: 'Guest' }) },
    ]);
    expect(await idsOf('"open phrase"', { caller: guest, path: '/me' })).to.deep.equal(['own']);
    for (const text of ['"secret phrase"', '"noted phrase"']) {
      expect(await idsOf(text, { caller: guest, path: '/me' }), text).to.deep.equal([]);
      expect(await idsOf(text), text).to.deep.equal(['own']);
    }
  });
});
