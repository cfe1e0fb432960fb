/** The "Where things are" tables in docs/contributing.md name existing files and declarations. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const [, section = ''] = read('docs/contributing.md').split('\n## Where things are\n');
const answers = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => /^\| (?!---|To change|Question)/.test(line))
  .map((line) => line.slice(2, -2).split(' | ') as [question: string, answer: string]);

const PATH = /^(api|docs|scripts|shared|test|workers)\/[\w./-]*$/;
const DECLARATION = /^[A-Za-z]\w+$/;

/** The declarations that an answer names, each with the last file that is named before it. */
const findNamedDeclarations = (answer: string): { file: string; name: string }[] => {
  let file = '';
  return [...answer.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => {
    if (PATH.test(text)) file = text;
    return DECLARATION.test(text) && file ? [{ file, name: text }] : [];
  });
};

describe('Where things are', () => {
  it('the tables have at least 40 questions, and each answer names a file', () => {
    expect(answers.length).to.be.at.least(40);
    for (const [question, answer] of answers)
      expect(answer, question).to.match(/`(api|client|shared|workers|scripts)\//);
  });

  it('every file and folder that an answer names exists', () => {
    const paths = answers.flatMap(([, answer]) => [...answer.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
    const missing = paths.filter((path) => PATH.test(path) && !existsSync(new URL(path, root)));
    expect(missing).to.deep.equal([]);
  });

  it('every function, class and constant that an answer names is declared in the file named before it', () => {
    const named = answers.flatMap(([, answer]) => findNamedDeclarations(answer));
    const isDeclared = ({ file, name }: { file: string; name: string }) =>
      new RegExp(`^(export )?(default )?(const|(async )?function\\*?|class) ${name}\\b`, 'm').test(read(file));
    expect(named.length).to.be.at.least(50);
    expect(named.filter((each) => !isDeclared(each))).to.deep.equal([]);
  });
});
