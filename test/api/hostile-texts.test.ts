/** Templates and transcripts that cost much work: the event loop stays free, and others are answered meanwhile. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/stage.ts';
import { turnsDuring } from '../support/turns.ts';
import { pdf } from '../../api/transcripts/pdf.ts';

const FEW = 200;
const attributes = { templateProcessor: true };

/** Thousands of evaluations within one tag: the language itself looks at the clock between tags only. */
const SLOW = `{% assign a = (1..120) %}{{ a | where_exp: "i", "a | has_exp: 'j', 'j == 0'" }}`;
/** The same, one level deeper. */
const ENDLESS = [
  `{% assign e = "a | has_exp: 'j', 'j == 0'" %}{% assign f = "a | has_exp: 'i', e" %}`,
  `{% assign a = (1..80) %}{{ a | has_exp: "h", f }}`,
].join('');

describe('A template of a message', () => {
  it('that costs much work leaves the event loop free', async () => {
    const { post, agent } = await aConversation();
    await post(agent, { text: '{{request.request_id}}', attributes });
    const { turns, result } = await turnsDuring(() => post(agent, { text: SLOW, attributes }));
    expect(result.status).to.be.oneOf([200, 422]);

    expect(turns).to.be.greaterThan(FEW);
  });

  it('that does not end in time is refused with 422 naming `text`, while other calls are answered', async () => {
    const { post, agent, guest, one, messages } = await aConversation();
    let isOver = false;
    let answered = 0;
    const refusal = post(agent, { text: ENDLESS, attributes }).finally(() => (isOver = true));
    while (!isOver) {
      expect((await api(guest).get(`${one}/messages`)).status).to.equal(200);
      answered += 1;
    }
    const { status, body } = await refusal;
    expect(status).to.equal(422);
    expect(body.errors[0]).to.include({ path: 'text' });
    expect(answered).to.be.at.least(3);
    expect(await messages()).to.have.length(1);
    expect((await post(agent, { text: '{{request.first_text}}', attributes })).body).to.include({
      text: 'Where is my order?',
    });
  });

  it('stops an import at the first one that does not end in time, and nothing is stored', async () => {
    const { agent, one, messages } = await aConversation();
    const all = times(5, () => ({ text: ENDLESS, attributes }));
    expect((await api(agent).post(`${one}/messages/multi`, all)).status).to.equal(422);
    expect(await messages()).to.have.length(1);
  });
});

describe('A PDF of a transcript', () => {
  const said = async function* (text: string) {
    yield { createdAt: '2026-11-22 03:05:00', senderFullname: 'Ann', text };
  };
  const made = (text: string) => Array.fromAsync(pdf(said(text)));

  it('of words without end leaves the event loop free', async () => {
    await made('Hello');
    const { turns, result } = await turnsDuring(() => made('x'.repeat(15_000)));
    expect(turns).to.be.greaterThan(FEW);
    expect(Buffer.concat(result).subarray(0, 5).toString()).to.equal('%PDF-');
  });
});
