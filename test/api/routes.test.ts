import { expect } from 'chai';
import { Routes } from '../../api/http/routes.ts';

const routes = (...declared: [method: string, path: string][]): Routes => {
  const made = new Routes();
  for (const [method, path] of declared) made.add(method, path, async () => {});
  return made;
};

const found = (made: Routes, method: string, path: string) => {
  const { route, params } = made.find(method, path) ?? {};
  return route && { path: route.path, ...params };
};

describe('Routes', () => {
  const made = routes(
    ['GET', '/'],
    ['POST', '/:project_id/kb/multi'],
    ['GET', '/:project_id/kb/:content_id'],
    ['DELETE', '/:project_id/kb/:content_id'],
    ['GET', '/projects/:id'],
  );

  it('are found with or without a slash at the end, in any case, and never by an empty parameter', () => {
    expect(found(made, 'GET', '/')).to.deep.equal({ path: '/' });
    const content = { path: '/:project_id/kb/:content_id', project_id: 'p', content_id: 'C' };
    expect(found(made, 'GET', '/p/KB/C/')).to.deep.equal(content);
    for (const path of ['/p/kb/', '/p/kb//', '//kb/c', '/p/kb/c/d'])
      expect(found(made, 'GET', path)).to.equal(undefined);
  });

  it('go by fixed segments first, and back to a parameter where the method asks for it', () => {
    expect(found(made, 'POST', '/p/kb/multi')).to.include({ path: '/:project_id/kb/multi' });
    expect(found(made, 'DELETE', '/p/kb/multi')).to.include({ content_id: 'multi' });
    expect(found(made, 'GET', '/projects/kb')).to.include({ id: 'kb' });
    expect(found(made, 'GET', '/projects/kb/c')).to.include({ project_id: 'projects', content_id: 'c' });
  });

  it('answer HEAD as GET, and tell the methods there are', () => {
    expect(found(made, 'HEAD', '/projects/1')).to.include({ id: '1' });
    expect(made.methodsAt('/p/kb/multi')).to.deep.equal(['POST', 'HEAD', 'GET', 'DELETE']);
    expect(made.methodsAt('/nothing')).to.deep.equal([]);
  });

  it('decode what a parameter stands for, and leave what is no escape as it is', () => {
    expect(found(made, 'GET', '/projects/a%2Fb%20c')).to.include({ id: 'a/b c' });
    expect(found(made, 'GET', '/projects/%E0%A4')).to.include({ id: '%E0%A4' });
  });
});
