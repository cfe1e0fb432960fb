/** A help centre goes in by its sitemap and answers its customers (must-show 2, in short). */
import { expect } from 'chai';
import { embedder } from '#shared/embedding/embedder.ts';
import { usage } from '#shared/embedding/usage.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { api, type Reply } from '../support/api.ts';
import { repeatedIn, stainedBy } from '../support/boilerplate.ts';
import { aHelpCentre, type HelpCentre, importSite, pathOf } from '../support/help-centre.ts';
import { passages, statuses } from '../support/knowledge.ts';
import { notRun } from '../support/not-run.ts';
import { aProject } from '../support/people.ts';
import { answerable, qualityOf, questionsOf } from '../support/question-set.ts';

const PAGES = 40;
const TOP = 20;

describe('A help centre of 40 pages', function () {
  this.timeout(60_000);
  const questions = questionsOf('help-centre/questions.json');
  const known = questions.filter(answerable);
  let world: Awaited<ReturnType<typeof aProject>>;
  let site: HelpCentre;
  let pid: string;

  before(async function () {
    if (!embedder()) notRun(this, 'the embedding model is not here');
    [world, site] = await Promise.all([aProject(), aHelpCentre()]);
    pid = world.project.id;
    await importSite(site, world.admin, pid);
  });
  after(() => site?.close());

  const ask = (question: string, more: object = {}): Promise<Reply> =>
    api(world.admin).post(`/v3/${pid}/kb/qa`, { namespace: pid, question, ...more });
  const chunks = () => KbChunk.find({ id_project: pid }, { text: 1, content: 1, vector: 1 }).lean();

  it('is indexed whole, every passage with its vector and in the index once', async () => {
    expect(await statuses(pid)).to.deep.equal({ 300: PAGES });
    const { expected, stored, indexed } = await passages(pid);
    expect(stored).to.have.length(expected).greaterThan(PAGES);
    expect(indexed).to.deep.equal(stored);
    expect((await chunks()).filter(({ vector }) => !vector)).to.deep.equal([]);
  });

  it('leaves its navigation, header, footer and licence behind', async () => {
    const repeated = repeatedIn(Object.values(site.html));
    expect([...repeated].some((text) => text.includes('CC BY 4.0'))).to.equal(true);
    const all = await chunks();
    const isFooter = ({ text }: { text: string }) =>
      text.includes('CC BY 4.0') || text.includes('Was this page helpful');
    const stained = new Set([...stainedBy(repeated, all), ...all.filter(isFooter)]);
    expect(stained.size / all.length, [...stained].map(({ text }) => text).join('\n---\n')).to.be.at.most(0.02);
  });

  it('is imported again without an embedding call or a new passage', async () => {
    const before = { known: await passages(pid), texts: usage().texts };
    await importSite(site, world.admin, pid);
    expect({ known: await passages(pid), texts: usage().texts }).to.deep.equal(before);
    expect(await statuses(pid)).to.deep.equal({ 300: PAGES });
  });

  it('finds the right page among the first five of most questions', async () => {
    const ranked: string[][] = [];
    for (const { question } of known) {
      const { metadata } = (await ask(question, { chunks_only: true, top_k: TOP })).body;
      ranked.push([...new Set<string>(metadata.map(({ source }: { source: string }) => pathOf(source)))]);
    }
    expect(qualityOf(known, ranked).recall5).to.be.at.least(0.85);
  });

  it('cites a right page of most questions, and refuses what it does not know', async () => {
    const replies: Record<string, Reply['body']> = {};
    for (const { question } of questions) replies[question] = (await ask(question)).body;
    const isCited = ({ question, pages }: (typeof questions)[number]) =>
      replies[question].citations.some(({ source }: { source: string }) => pages.includes(pathOf(source)));
    const refused = questions.filter(({ question }) => !replies[question].success);
    const cited = known.filter(isCited).length;
    const said = { cited, refusedKnown: refused.filter(answerable).length, refusedUnknown: refused.length };
    said.refusedUnknown -= said.refusedKnown;
    expect(said.cited, JSON.stringify(said)).to.be.at.least(Math.floor(known.length * 0.75));
    expect(said.refusedKnown, JSON.stringify(said)).to.be.at.most(3);
    expect(said.refusedUnknown, JSON.stringify(said)).to.be.at.least(4);
    const { count } = (await api(world.admin).get(`/v3/${pid}/kb/unanswered/count/${pid}`)).body;
    expect(count).to.equal(refused.length);
  });
});
