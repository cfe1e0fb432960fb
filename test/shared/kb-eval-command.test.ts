/** The command `kb eval`. It runs in this process, because starting another process takes a second. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { evaluateFile } from '../../scripts/cli/kb-eval.ts';
import { aNamespaceKey, anIndexedContent, wordEmbedder } from '../support/indexed-contents.ts';

const QUESTIONS = [
  { question: 'where does bread rise', pages: ['/bread'], facts: ['warm place'], kind: 'short' },
  { question: 'when does soup taste better', pages: ['/soup'] },
];

describe('kb eval', () => {
  const originalEmbedder = embedder();
  const { id_project: project, namespace } = aNamespaceKey();
  let folder: string;

  before(async () => {
    setEmbedder(wordEmbedder);
    folder = await mkdtemp(join(tmpdir(), 'eval-'));
    await KbNamespace.create([{ id: namespace, id_project: project, name: 'Kitchen', preview_settings: {} }]);
    await anIndexedContent({ id_project: project, namespace }, ['Bread rises in a warm place.'], {
      source: 'https://example.com/bread',
    });
    await anIndexedContent({ id_project: project, namespace }, ['Soup tastes better on the second day.'], {
      source: 'https://example.com/soup',
    });
  });
  after(async () => {
    setEmbedder(originalEmbedder);
    await KbNamespace.deleteMany({ id_project: project });
    await rm(folder, { recursive: true });
  });

  const fileOf = async (questions: object[]): Promise<string> => {
    const file = join(folder, 'questions.json');
    await writeFile(file, JSON.stringify({ questions }));
    return file;
  };
  const run = async (file: string, more: object = {}): Promise<string> => {
    const lines: unknown[] = [];
    const { log } = console;
    const { write } = process.stdout;
    console.log = (line: unknown) => void lines.push(line);
    process.stdout.write = () => true;
    try {
      await evaluateFile(file, { project, namespace, topK: 5, ...more });
    } finally {
      console.log = log;
      process.stdout.write = write;
    }
    return lines.join('\n');
  };

  it('`kb eval` prints the figures (such as recall) for all questions and for each kind of question, and those of the previous run if there is one', async () => {
    const first = await run(await fileOf(QUESTIONS));
    expect(first).to.match(/^answerable questions +2 +1$/m);
    expect(first).to.match(/^recall@1 +1\.000 +1\.000$/m);
    expect(first).to.include('There is no earlier run');
    const second = await run(await fileOf(QUESTIONS.slice(0, 1)));
    expect(second).to.match(/all, before +all +short, before +short$/m);
    expect(second).to.match(/^answerable questions +2 +1 +1 +1$/m);
    expect(second).to.match(/^Before: the run of 20\d\d-/m);
  });

  it('`kb eval` reports a missing file, an invalid file and an unknown namespace', async () => {
    const errorOf = (work: Promise<unknown>) => work.then(String, ({ message }: Error) => message);
    expect(await errorOf(run(join(folder, 'missing.json')))).to.include('missing.json cannot be read');
    expect(await errorOf(run(await fileOf([{ question: 'where?' }])))).to.include('invalid at questions.0.pages');
    const unknown = await errorOf(run(await fileOf(QUESTIONS), { namespace: 'none' }));
    expect(unknown).to.equal(`Project ${project} has no namespace none; check --project and --namespace.`);
  });
});
