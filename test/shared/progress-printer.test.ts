import { expect } from 'chai';
import { progressPrinter } from '../../scripts/cli/progress.ts';

const linesOf = (steps: { done: number; total: number }[]): string[] => {
  const lines: string[] = [];
  const print = progressPrinter('Chunks', { isTTY: false, write: (text: string) => lines.push(text) > 0 });
  for (const step of steps) print(step);
  return lines;
};

describe('Progress of a long-running command without a terminal', () => {
  it('a line is printed whenever progress has grown by at least ten percentage points, and at the end, however small the last step is', () => {
    const steps = [0, 4, 10, 17, 93, 100].map((done) => ({ done, total: 100 }));
    expect(linesOf(steps)).to.deep.equal(['Chunks: 0%\n', 'Chunks: 10%\n', 'Chunks: 93%\n', 'Chunks: 100%\n']);
  });

  it('if there is nothing to do, the progress is 100%', () => {
    expect(linesOf([{ done: 0, total: 0 }])).to.deep.equal(['Chunks: 100%\n']);
  });
});
