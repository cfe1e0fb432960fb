/** Compares the published status transitions, and those that endpoints perform, with test/data/transitions.md. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Transition } from '#shared/domain/conversations/transitions.ts';
import { api } from '../support/api.ts';
import { theDeployedClientsApi } from '../support/api-process.ts';
import { withoutLoad } from '../support/conversations.ts';
import {
  aTransitionFixture,
  openingTrials,
  otherProfile,
  prepareTrial,
  statusAfterOpening,
  type TransitionFixture,
  type TransitionTrial,
  transitionTrials,
} from '../support/transition-trials.ts';

const STATUSES = [50, 100, 150, 200, 1000];

const rowsOf = (markdown: string): string[][] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .filter(([first]) => first !== '---');

const tableRows = rowsOf(readFileSync(new URL('../data/transitions.md', import.meta.url), 'utf8'));
const withoutSource = (rows: string[][]) => rows.map((cells) => cells.slice(0, -1));
const moves = withoutSource(tableRows.filter((cells) => cells.length === 7));
const beginnings = withoutSource(tableRows.filter((cells) => cells.length === 3));
const [, ...moveRows] = moves as [string[], ...[Transition, ...string[]][]];

interface ExpectedMove {
  /** The status before the transition. */
  status: number;
  cell: string;
  trial: TransitionTrial;
}

/** Performs the transition and compares the resulting status with the cell of the table. */
const expectMove = async (
  { act, read }: Awaited<ReturnType<typeof prepareTrial>>,
  { status, cell, trial }: ExpectedMove,
) => {
  const before = cell === '–' ? await read() : undefined;
  expect(before?.status ?? status).to.equal(status);
  expect((await act()).status).to.equal(200);
  const after = await read();
  if (before && !trial.changesRecord) expect(withoutLoad(after)).to.deep.equal(withoutLoad(before));
  const becomes = { '–': status, 'as given': trial.requestedStatus }[cell] ?? Number(cell);
  expect(after.status, `from ${status}`).to.equal(becomes);
};

describe('Table of status transitions', () => {
  it('the published table of status transitions equals the table in test/data/transitions.md without its column of rules', async () => {
    const { text } = await api().get('/v3/openapi.json');
    const allRows = rowsOf(JSON.parse(text).info.description);
    const published = allRows.slice(allRows.findIndex(([first]) => first === 'transition'));
    expect(published).to.deep.equal([['transition', ...STATUSES.map(String)], ...moveRows, ...beginnings]);
  });
});

describe('Initial status of a conversation', () => {
  it('a new conversation has the status that the table states', async () => {
    const [, ...rows] = beginnings as [string[], ...[keyof typeof openingTrials, string][]];
    expect(rows.map(([beginning]) => beginning)).to.have.members(Object.keys(openingTrials));
    const fixture = await aTransitionFixture();
    for (const [beginning, status] of rows)
      expect(await statusAfterOpening(fixture, openingTrials[beginning]), beginning).to.equal(Number(status));
  });
});

describe('Status transitions', () => {
  let fixtures: TransitionFixture[];

  before(async () => {
    otherProfile.url = (await theDeployedClientsApi()).url;
    fixtures = await Promise.all(STATUSES.map(aTransitionFixture));
  });

  for (const [move, ...cells] of moveRows)
    it(`a conversation changes its status as the table states: ${move}`, async () => {
      const runTrial = async (trial: TransitionTrial, index: number) => {
        const status = STATUSES[index] as number;
        const prepared = await prepareTrial(fixtures[index] as TransitionFixture, trial, status);
        await expectMove(prepared, { status, cell: cells[index] as string, trial });
      };
      for (const trial of transitionTrials[move]) await Promise.all(STATUSES.map((_, index) => runTrial(trial, index)));
    });
});
