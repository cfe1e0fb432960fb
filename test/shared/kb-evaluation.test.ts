import { expect } from 'chai';
import type { EvaluatedQuestion } from '#shared/domain/knowledge/evaluation/evaluate.ts';
import { figuresByKind, figuresOf } from '#shared/domain/knowledge/evaluation/figures.ts';
import { pageOfSource, parseQuestions } from '#shared/domain/knowledge/evaluation/question-file.ts';

const aResult = (more: Partial<EvaluatedQuestion> = {}): EvaluatedQuestion => ({
  question: 'where?',
  pages: ['/a'],
  found: [],
  chunkTexts: [],
  cited: [],
  refused: false,
  confidence: 1,
  answer: '',
  ms: 10,
  ...more,
});
const url = (path: string) => `https://example.com${path}`;

describe('Figures of an evaluation', () => {
  it('recall and MRR (mean reciprocal rank) are computed from the rank of the first correct page', () => {
    const results = [
      aResult({ found: [url('/a')] }),
      aResult({ found: [url('/b'), url('/a')] }),
      aResult({ found: [1, 2, 3, 4, 5].map((page) => url(`/${page}`)).concat(url('/a')) }),
      aResult({ found: [url('/b')] }),
    ];
    expect(figuresOf(results)).to.include({ recall1: 0.25, recall5: 0.5, mrr: (1 + 1 / 2 + 1 / 6) / 4 });
  });

  it('for answerable questions, citation precision is the share of correct citations, and citation recall is the share of questions with a correct citation', () => {
    const results = [
      aResult({ cited: [url('/a'), url('/b'), url('/c')] }),
      aResult({ cited: [url('/a')] }),
      aResult({ refused: true }),
      aResult({ pages: [], cited: [url('/a')] }),
    ];
    expect(figuresOf(results)).to.include({ citationPrecision: 0.5, citationRecall: 2 / 3 });
  });

  it('an expected fact is found in answers and chunks regardless of case, white space and Markdown', () => {
    const results = [
      aResult({ facts: ['json.tool', 'x'], answer: 'Run `JSON.tool`.', chunkTexts: ['json.tool'] }),
      aResult({ facts: ['two words'], answer: 'none', chunkTexts: ['Two\n**words**'] }),
      aResult(),
    ];
    expect(figuresOf(results)).to.include({ factInAnswer: 0.5, factInChunks: 1 });
  });

  it('the share of refusals is computed for answerable questions, for unanswerable ones, and for unanswerable ones on a related subject (near)', () => {
    const results = [
      aResult({ refused: true }),
      aResult(),
      aResult({ pages: [], near: true }),
      aResult({ pages: [], near: false, refused: true }),
    ];
    expect(figuresOf(results)).to.include({ falseRefusals: 0.5, refused: 0.5, refusedNear: 0 });
  });

  it('a figure is null if there are no questions to compute it from, and each kind of question has its own figures', () => {
    const figures = figuresByKind([aResult({ kind: 'how-to', found: [url('/a')] }), aResult()]);
    expect(Object.keys(figures)).to.deep.equal(['all', 'how-to']);
    expect(figures['how-to']).to.include({ recall1: 1, answerable: 1, refused: null, factInAnswer: null });
    expect(figures.all).to.include({ recall1: 0.5, answerable: 2 });
  });
});

describe('Question files', () => {
  it('the pages of a question are given as URLs or as the ends of their paths', () => {
    const question = { question: 'where?', pages: ['/help/a', 'b.html', 'https://example.com/c'] };
    expect(pageOfSource(question, url('/help/a'))).to.equal('/help/a');
    expect(pageOfSource(question, url('/docs/b.html'))).to.equal('b.html');
    expect(pageOfSource(question, url('/c'))).to.equal('https://example.com/c');
    expect(pageOfSource(question, url('/docs/bb.html'))).to.equal(undefined);
  });

  const cases: [text: string, message: string][] = [
    ['{', 'q.json is not valid JSON'],
    ['{"questions":[]}', 'q.json is invalid at questions:'],
    ['{"questions":[{"question":"where?"}]}', 'q.json is invalid at questions.0.pages:'],
  ];
  for (const [text, message] of cases)
    it(`an invalid question file is refused with the reason: ${text}`, () => {
      expect(() => parseQuestions(text, 'q.json')).to.throw(message);
    });
});
