import { expect } from 'chai';
import { ProjectKey } from '#shared/models/project-key.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { customClaims, forgeToken, withToken } from '../support/tokens.ts';
import { waitUntil } from '../support/wait-until.ts';

const OVERLAP_SECONDS = 86_400;

const aProjectWithKeys = async () => {
  const { project, admin } = await aProject();
  const isAccepted = async (secret: string): Promise<boolean> => {
    const caller = withToken(forgeToken(customClaims(project.id), { secret }));
    return (await api(caller).get(`/v3/${project.id}/changes`)).status !== 401;
  };
  return {
    project,
    generate: async (overlap = OVERLAP_SECONDS): Promise<string> =>
      (await api(admin).post(`/v3/${project.id}/keys/generate`, { overlap })).body.jwtSecret,
    acceptedOf: (secrets: string[]) => Promise.all(secrets.map(isAccepted)),
  };
};

describe('Project keys', () => {
  it('a project has at most 3 valid keys, and a new key invalidates the oldest one', async () => {
    const { project, generate, acceptedOf } = await aProjectWithKeys();
    const secrets: string[] = [];
    for (let made = 0; made < 5; made += 1) secrets.push(await generate());
    await waitUntil(async () => !(await acceptedOf(secrets.slice(0, 2))).includes(true));
    expect(await acceptedOf(secrets)).to.deep.equal([false, false, true, true, true]);
    const inForce = { id_project: project.id, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] };
    expect(await ProjectKey.countDocuments(inForce)).to.equal(3);
  });

  it('a stored project key other than the newest 3 does not verify tokens', async () => {
    const { project, acceptedOf } = await aProjectWithKeys();
    const secrets = ['first', 'second', 'third', 'fourth'].map((name) => `${name} secret of ${project.id}`);
    for (const secret of secrets) await ProjectKey.create([{ id_project: project.id, secret, createdBy: 'test' }]);
    expect(await acceptedOf(secrets)).to.deep.equal([false, true, true, true]);
  });
});
