/** All writes to projects outside tests: processes cache projects, so each write must invalidate the cached copies. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { disable } from '#shared/domain/projects/project-removal.ts';
import { update } from '#shared/domain/projects/update-project.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';

const root = new URL('../../', import.meta.url);

/**
 * The operations whose write records an access change (a record that makes API processes drop cached entries) in its
 * transaction, by the file and the method of the write.
 */
const RECORDED: Record<string, (id: string) => Promise<unknown>> = {
  'shared/domain/projects/project-removal.ts findOneAndUpdate': disable,
  'shared/domain/projects/update-project.ts findOneAndUpdate': (id) => update(id, { name: 'Another' }),
};

/** The other writes, with the reason why no process can have the project in its cache. */
const NOT_CACHED: Record<string, string> = {
  'shared/domain/projects/project-removal.ts deleteOne': 'the project was disabled before',
  'shared/domain/projects/projects.ts create': 'the project is new',
};

const WRITE = /\bProject\s*\.((?:insert|update|delete|replace|bulk|findOneAnd|findByIdAnd)\w*|create)\(/g;

/** Every call to a method of `Project` that writes, as file and method. */
const findWrites = (): string[] =>
  ['api', 'workers', 'shared', 'scripts'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`)
      .flatMap((file) =>
        [...readFileSync(new URL(file, root), 'utf8').matchAll(WRITE)].map(([, method]) => `${file} ${method}`),
      ),
  );

interface WriteCommand {
  lsid?: { id: unknown };
  txnNumber?: unknown;
  findAndModify?: string;
  insert?: string;
  documents?: { subject?: string }[];
}

const transactionOf = ({ lsid, txnNumber }: WriteCommand): string => `${JSON.stringify(lsid?.id)} ${String(txnNumber)}`;

describe('Writes to projects', () => {
  it('every call that writes to projects either records an access change or changes no cached project', () => {
    expect(findWrites().toSorted()).to.deep.equal([...Object.keys(RECORDED), ...Object.keys(NOT_CACHED)].toSorted());
  });

  for (const [write, operation] of Object.entries(RECORDED))
    it(`${write} records an access change for the project in the same transaction`, async () => {
      const { id } = (await aProject()).project;
      const commands = (await commandsDuring(() => operation(id))) as WriteCommand[];
      const writes = commands.filter(({ findAndModify }) => findAndModify === 'projects');
      const changes = commands.filter(({ insert }) => insert === 'access_changes');
      expect(writes).to.have.length(1);
      expect(changes.flatMap(({ documents = [] }) => documents.map(({ subject }) => subject))).to.deep.equal([
        `project ${id}`,
      ]);
      expect(changes.map(transactionOf)).to.deep.equal(writes.map(transactionOf));
    });
});
