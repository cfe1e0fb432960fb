import { expect } from 'chai';
import { explainError } from '../../scripts/set-up/errors.mjs';
import { findProgram } from '../../scripts/set-up/find-program.mjs';

const aWantedProgram = (sources: Record<string, string | undefined>) => ({
  name: 'A node',
  minVersion: '20.0',
  versionPattern: /v(\d+\.\d+\.\d+)/,
  sources: Object.entries(sources).map(([label, file]) => ({ label, get: () => file })),
  remedies: ['install it'],
});

describe('Program lookup', () => {
  it('findProgram returns the program from the first source whose file can be run', async () => {
    const program = await findProgram(
      aWantedProgram({ nowhere: undefined, broken: '/no/such/file', here: process.execPath }),
    );
    expect(program).to.deep.equal({ file: process.execPath, version: process.versions.node });
  });

  it('the error from findProgram says why each source was rejected, and what to do', async () => {
    const old = { ...aWantedProgram({ 'on PATH': undefined, kept: process.execPath }), minVersion: '999.0' };
    const text = explainError(await findProgram(old).catch((error: unknown) => error));

    expect(text).to.match(
      /^A node could not be found or downloaded\.\nTried:\n {2}- on PATH: not found\n {2}- kept: .* 999\.0 or newer is needed/,
    );
    expect(text).to.include('What you can do:\n  - install it');
  });
});
