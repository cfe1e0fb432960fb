/**
 * The sets of questions in test/data that measure retrieval and answers, with the pages that answer each question. A
 * held-out set is used for one measurement before anything is tuned with its questions.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

type Question = { question: string; pages: string[]; near?: boolean };
type QuestionSet = { titles: Record<string, string>; questions: Question[] };

const DATA = new URL('../data/', import.meta.url);
const DOCS = '/usr/share/doc/python3-doc/html';
const STOP_WORDS = `
  a about after again all also an and any are as at be been before but by can could did do does don down each
  every for from get got had has have he her his how i if in into is it its just ll m make may me more most must
  my no not of off on once one only or other our out over own re s same she should so some such t than that the
  their them then there these they this those to too two under up us use using ve was we were what when where
  which who whom why will with without would you your`.split(/\s+/);

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, DATA), 'utf8'));

function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !STOP_WORDS.includes(word)).map(stem));
}

function stem(word: string): string {
  return word.replace(/(?<=.{3})(ations?|ions?|ings?|ies|ers?|ed|es|s|ly)$/, '');
}

function ownTitle(title: string): string {
  return title.replace(/ — Python \S+ documentation$| – Burrow Help$/, '');
}

function sharedWords(question: string, title: string): string[] {
  return [...contentWords(question).intersection(contentWords(ownTitle(title)))];
}

const heldOut = readJson('python-docs/held-out.json') as QuestionSet;
const heldOut2 = readJson('python-docs/held-out-2.json') as QuestionSet;
const heldOut3 = readJson('python-docs/held-out-3.json') as QuestionSet;
const heldOut4 = readJson('python-docs/held-out-4.json') as QuestionSet;
const heldOut5 = readJson('python-docs/held-out-5.json') as QuestionSet;
const tuning = readJson('python-docs/tuning.json') as QuestionSet;
const helpCentre = readJson('help-centre/questions.json') as QuestionSet;
const site = readJson('help-centre/site.json') as Record<string, string>;

const sets = [
  { name: 'held-out', set: heldOut, answerable: 60, near: 10, offTopic: 10 },
  { name: 'held-out-2', set: heldOut2, answerable: 60, near: 10, offTopic: 10 },
  { name: 'held-out-3', set: heldOut3, answerable: 60, near: 10, offTopic: 10 },
  { name: 'held-out-4', set: heldOut4, answerable: 60, near: 10, offTopic: 10 },
  { name: 'held-out-5', set: heldOut5, answerable: 60, near: 10, offTopic: 10 },
  { name: 'tuning', set: tuning, answerable: 28, near: 6, offTopic: 6 },
  { name: 'help-centre', set: helpCentre, answerable: 16, near: 3, offTopic: 3 },
];

describe('Question sets', () => {
  it('the words shared by a question and a title are found despite different endings', () => {
    const shared = sharedWords('How do I sort sorted things by keys?', 'Sorting keys — Python 3.11.2 documentation');
    expect(shared).to.deep.equal(['sort', 'key']);
  });

  for (const { name, set, answerable, near, offTopic } of sets) {
    it(`the ${name} set has ${answerable} answerable questions, ${near} unanswerable ones on a related subject (near) and ${offTopic} off-topic ones`, () => {
      const unanswerable = set.questions.filter((question) => question.pages.length === 0);
      expect(set.questions.length - unanswerable.length).to.equal(answerable);
      expect(unanswerable.filter((question) => question.near === true)).to.have.length(near);
      expect(unanswerable.filter((question) => question.near === false)).to.have.length(offTopic);
    });

    it(`questions of the ${name} set share at most two content words with the titles of their pages`, () => {
      const tooClose = set.questions.flatMap(({ question, pages }) =>
        pages.filter((page) => sharedWords(question, set.titles[page] ?? '').length > 2).map(() => question),
      );
      expect(tooClose).to.deep.equal([]);
    });

    it(`the ${name} set has a title for each page of its questions, and no other titles`, () => {
      const pages = new Set(set.questions.flatMap((question) => question.pages));
      expect(Object.keys(set.titles)).to.have.members([...pages]);
    });
  }

  it('no question occurs twice in the sets', () => {
    const questions = sets.flatMap(({ set }) => set.questions.map(({ question }) => question.toLowerCase()));
    expect(new Set(questions)).to.have.property('size', questions.length);
  });

  it('the questions of each held-out set cover at least 45 pages', () => {
    for (const set of [heldOut, heldOut2, heldOut3, heldOut4, heldOut5]) {
      const firstPages = new Set(set.questions.flatMap((question) => question.pages.slice(0, 1)));
      expect(firstPages.size).to.be.at.least(45);
    }
  });

  it('the titles in the Python sets equal those in the installed Python 3.11.2 documentation', function () {
    if (!documentationPage('index.html')?.includes('<title>3.11.2 Documentation')) this.skip();
    const documented = [heldOut, heldOut2, heldOut3, heldOut4, heldOut5, tuning];
    const titles: Record<string, string> = Object.assign({}, ...documented.map((set) => set.titles));
    expect(titlesOf(Object.keys(titles), documentationPage)).to.deep.equal(titles);
  });

  it('the titles in the help-centre set equal those on the site', () => {
    expect(titlesOf(Object.keys(helpCentre.titles), (page) => site[page])).to.deep.equal(helpCentre.titles);
  });

  it('the help centre has 40 pages of at most 300 words, each with breadcrumbs and a licence', () => {
    const pages = Object.values(site);
    expect(pages).to.have.length(40);
    for (const html of pages) {
      expect(html)
        .to.include('class="breadcrumbs"')
        .and.to.include('CC BY 4.0')
        .and.to.match(/<h1>[^<]+<\/h1>/);
      expect(textOf(html).split(/\s+/).length).to.be.at.most(300);
    }
  });
});

function documentationPage(page: string): string | undefined {
  try {
    return readFileSync(`${DOCS}/${page}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function titlesOf(pages: string[], html: (page: string) => string | undefined): Record<string, string | undefined> {
  const title = (page: string) => /<title>([^<]*)<\/title>/.exec(html(page) ?? '')?.[1]?.replaceAll('&#8212;', '—');
  return Object.fromEntries(pages.map((page) => [page, title(page)]));
}

function textOf(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, ' ')
    .replace(/<[^>]+>/g, ' ')
    .trim();
}
