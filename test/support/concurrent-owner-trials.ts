/** Trials of owners who concurrently end each other's ownership, with any call that can do so, or give up their own. */
import { expect } from 'chai';
import * as projects from '#shared/domain/projects/projects.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import { aPerson, aTeammate } from './people.ts';

const demotions: ((by: Caller, path: string) => Promise<{ status: number }>)[] = [
  (by, path) => api(by).put(path, { role: 'agent' }),
  (by, path) => api(by).put(path, { status: 'disabled' }),
  (by, path) => api(by).delete(path),
  (by, path) => api(by).delete(`${path}?soft=true`),
  (by, path) => api(by).delete(`${path}?hard=true`),
];

const demotionOf = (pair: number, of: 0 | 1) =>
  demotions[Math.floor(pair / (of ? demotions.length : 1)) % demotions.length] as (typeof demotions)[number];

const ownersOf = (id_project: string) =>
  ProjectUser.find({ id_project, role: 'owner', status: 'active', trashed: false }).lean();

/** Lets two owners of a new project demote each other. Expects that one call succeeds and one owner remains. */
const demoteEachOther = async (pair: number, [one, other]: [Caller, Caller]): Promise<void> => {
  const id = await projects.create({ name: 'Contended' }, one);
  await ProjectUser.create([{ id_project: id, id_user: other.id, role: 'owner', roleType: 1, createdBy: one.id }]);
  const owners = await ownersOf(id);
  const idOf = ({ id: user }: Caller) => String(owners.find(({ id_user }) => String(id_user) === user)?._id);
  const path = (of: Caller) => `/v3/${id}/project_users/${idOf(of)}`;
  const replies = await Promise.all([demotionOf(pair, 0)(one, path(other)), demotionOf(pair, 1)(other, path(one))]);
  const [lower = 0, higher = 0] = replies.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(lower).to.equal(200);
  expect(higher).to.be.oneOf([403, 409]); // 403: the caller lost its role before its call was authorized
  expect(await ownersOf(id)).to.have.lengthOf(1);
};

/** Lets two people demote each other in `pairs` projects, `atOnce` at a time, using each pair of calls in turn. */
export const expectOneOwnerWins = async (pairs: number, atOnce = 10): Promise<void> => {
  const people: [Caller, Caller] = [await aPerson(), await aPerson()];
  for (let first = 0; first < pairs; first += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, pairs - first) }, (_, offset) =>
      demoteEachOther(first + offset, people),
    );
    await Promise.all(batch);
  }
};

/** Lets all owners of a project give up their ownership concurrently. Expects that one owner remains. */
export const expectOneOwnerStays = async (owners: number): Promise<void> => {
  const founder = await aPerson();
  const id = await projects.create({ name: 'Deserted' }, founder);
  const more = await Promise.all(Array.from({ length: owners - 1 }, () => aTeammate(id, 'owner')));
  const replies = await Promise.all(
    [founder, ...more].map((each) => api(each).put(`/v3/${id}/project_users`, { role: 'agent' })),
  );
  expect(replies.filter(({ status }) => status === 409)).to.have.lengthOf(1);
  expect(replies.filter(({ status }) => status === 200)).to.have.lengthOf(owners - 1);
  expect(await ownersOf(id)).to.have.lengthOf(1);
};
