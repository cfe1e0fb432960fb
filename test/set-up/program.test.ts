import { expect } from 'chai';
import { explain } from '../../scripts/set-up/errors.mjs';
import { findProgram } from '../../scripts/set-up/program.mjs';

const wanted = (sources: Record<string, string | undefined>) => ({
  name: 'A node',
  least: '20.0',
  versionOf: /v(\d+\.\d+\.\d+)/,
  sources: Object.entries(sources).map(([label, file]) => ({ label, get: () => file })),
  waysOut: ['install it'],
});

describe('finding a program', () => {
  it('takes the first source whose file runs', async () => {
    const found = await findProgram(wanted({ nowhere: undefined, broken: '/no/such/file', here: process.execPath }));
    expect(found).to.deep.equal({ file: process.execPath, version: process.versions.node });
  });

  it('says all it tried, why each was of no use, and the ways out', async () => {
    const old = { ...wanted({ 'on PATH': undefined, kept: process.execPath }), least: '999.0' };
    const text = explain(await findProgram(old).catch((error: unknown) => error));

    expect(text).to.match(
      /^A node could not be had\.\nTried:\n {2}- on PATH: none\n {2}- kept: .* 999\.0 is the least/,
    );
    expect(text).to.include('Ways out:\n  - install it');
  });
});
