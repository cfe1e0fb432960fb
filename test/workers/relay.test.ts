import { expect } from 'chai';
import * as namespaces from '#shared/domain/namespaces.ts';
import { emits } from '#shared/emits.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

describe('The relay', () => {
  it('tells what happened to a record, in order, each event once, as the API shows the record', async () => {
    const { project } = await aProject();
    const { id } = await namespaces.add(project.id, { name: 'First' });
    const own = { id_project: project.id, id };
    for (const at of times(5, Number))
      await KbNamespace.updateOne(own, { $set: { name: `n${at}` } }, emits('kb.namespace.update'));
    const log = await changes(project.id);
    expect(log.filter(({ event }) => event === 'kb.namespace.update')).to.have.length(5);
  });
});
