/**
 * Slow templates and transcripts: the event loop stays free, and other calls are answered meanwhile. A15 is an attack
 * in docs/attacks.md.
 */
import { expect } from 'chai';
import { pdf } from '../../api/transcripts/pdf.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { mainThreadShare } from '../support/main-thread.ts';

/** The maximum share of the process's CPU time that its main thread may use while another thread does the work. */
const MAX_MAIN_SHARE = 0.5;
const attributes = { templateProcessor: true };

/** Thousands of evaluations within one tag; the template language checks its time limit only between tags. */
const SLOW_TEMPLATE = `{% assign a = (1..120) %}{{ a | where_exp: "i", "a | has_exp: 'j', 'j == 0'" }}`;
/** SLOW_TEMPLATE with one more level of nesting. */
const ENDLESS_TEMPLATE = [
  `{% assign e = "a | has_exp: 'j', 'j == 0'" %}{% assign f = "a | has_exp: 'i', e" %}`,
  `{% assign a = (1..80) %}{{ a | has_exp: "h", f }}`,
].join('');

describe('Slow message templates', () => {
  it('A15: a slow template leaves the event loop free', async () => {
    const { post, agent } = await aConversation();
    await post(agent, { text: '{{request.request_id}}', attributes });
    const { share, result } = await mainThreadShare(() => post(agent, { text: SLOW_TEMPLATE, attributes }));
    expect(result.status).to.be.oneOf([200, 422]);
    expect(share).to.be.below(MAX_MAIN_SHARE);
  });

  it('a template that exceeds its time limit is refused with a 422 error that names `text`, and other calls are answered meanwhile', async () => {
    const { post, agent, guest, one, messages } = await aConversation();
    let isOver = false;
    let answered = 0;
    const refusal = post(agent, { text: ENDLESS_TEMPLATE, attributes }).finally(() => (isOver = true));
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

  it('an import stops at its first template that exceeds its time limit, and stores nothing', async () => {
    const { agent, one, messages } = await aConversation();
    const all = times(5, () => ({ text: ENDLESS_TEMPLATE, attributes }));
    expect((await api(agent).post(`${one}/messages/multi`, all)).status).to.equal(422);
    expect(await messages()).to.have.length(1);
  });
});

describe('Slow PDF transcripts', () => {
  const messagesOf = async function* (text: string) {
    yield { createdAt: '2026-11-22 03:05:00', senderFullname: 'Ann', text };
  };
  const pdfChunks = (text: string) => Array.fromAsync(pdf(messagesOf(text)));

  it('a PDF transcript with a very long word leaves the event loop free', async () => {
    await pdfChunks('Hello');
    const { share, result } = await mainThreadShare(() => pdfChunks('x'.repeat(15_000)));
    expect(share).to.be.below(MAX_MAIN_SHARE);
    expect(Buffer.concat(result).subarray(0, 5).toString()).to.equal('%PDF-');
  });
});
