import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createChat } from '#shared/ai/chat.ts';
import { config } from '#shared/config.ts';
import { toAnswerResult } from '#shared/domain/knowledge/answers/answer-result.ts';
import { buildPrompt } from '#shared/domain/knowledge/answers/prompt.ts';
import type { RetrievedChunk } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { parsePage } from '#shared/parsing/parse-page.ts';
import { aProvider } from '../support/fake-openai.ts';
import { type Claim, quotingAnswer } from '../support/quoting-model.ts';
import { random } from '../support/seeded-random.ts';

const ANSWERS = 200;
const PAGES = 12;
const PASSAGES = 5;
const QUESTION = 'What do I need to know?';

const site = JSON.parse(readFileSync(new URL('../data/help-centre/site.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

const chunksOfPage = async ([path, html]: [string, string]): Promise<RetrievedChunk[]> => {
  const url = `https://help.example${path}`;
  const { title, chunks } = await parsePage({ body: Buffer.from(html), contentType: 'text/html', url }, 200);
  return chunks.map(({ text, headings }, index) => ({
    ...{ id: `${path}#${index}`, content: path, source: url, name: title, headings, text, score: 1 },
  }));
};

const input = {
  ...{ question: QUESTION, advancedPrompt: false, chat_history_dict: {}, include_history_in_prompt: false },
  max_history_messages: 0,
};

describe('Quotations in 200 generated answers', () => {
  it('every invented quotation is flagged, and no genuine quotation is', async () => {
    const chunks = (await Promise.all(Object.entries(site).slice(0, PAGES).map(chunksOfPage))).flat();
    expect(chunks.length).to.be.greaterThan(2 * PASSAGES);
    let claims: Claim[] = [];
    const provider = await aProvider({
      answer: ([system]) => {
        const answer = quotingAnswer(system?.content ?? '');
        claims = answer.claims;
        return answer.text;
      },
    });
    const settings = { ...config, OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'key', CHAT_MODEL: 'fake' };
    const client = createChat(settings);
    const wrong: object[] = [];
    const counts = { invented: 0, true: 0 };
    for (let index = 0; index < ANSWERS; index++) {
      const first = Math.floor(random() * (chunks.length - PASSAGES));
      const prompt = buildPrompt(input, chunks.slice(first, first + PASSAGES));
      const { text, model, usage } = await client.chat({ messages: prompt.messages, maxTokens: 500, temperature: 0 });
      const generated = { text, question: QUESTION, model, promptTokens: usage.input_tokens };
      const { answer, quotations } = toAnswerResult(generated, prompt.chunks);
      const flagged = new Set(
        quotations
          .filter(({ verified }) => !verified)
          .map(({ answer_start }) => answer.slice(0, answer_start).split('\n\n').length - 1),
      );
      for (const [paragraph, { isInvented, text: claim }] of claims.entries()) {
        counts[isInvented ? 'invented' : 'true'] += 1;
        if (flagged.has(paragraph) !== isInvented) wrong.push({ isInvented, claim, answer });
      }
    }
    await client.close();
    await provider.close();
    expect(wrong).to.deep.equal([]);
    expect(counts.invented).to.be.greaterThan(80);
    expect(counts.true).to.be.greaterThan(200);
  });
});
