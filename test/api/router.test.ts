import { expect } from 'chai';
import { Router } from '../../api/http/router.ts';

const routes = (...declared: [method: string, path: string][]): Router => {
  const made = new Router();
  for (const [method, path] of declared) made.add(method, path, async () => {});
  return made;
};

const matchOf = (made: Router, method: string, path: string) => {
  const { route, params } = made.find(method, path) ?? {};
  return route && { path: route.path, ...params };
};

describe('Router', () => {
  const made = routes(
    ['GET', '/'],
    ['POST', '/:project_id/kb/multi'],
    ['GET', '/:project_id/kb/:content_id'],
    ['DELETE', '/:project_id/kb/:content_id'],
    ['GET', '/projects/:id'],
  );

  it('a route matches with or without a trailing slash, in any letter case, and never with an empty parameter', () => {
    expect(matchOf(made, 'GET', '/')).to.deep.equal({ path: '/' });
    const content = { path: '/:project_id/kb/:content_id', project_id: 'p', content_id: 'C' };
    expect(matchOf(made, 'GET', '/p/KB/C/')).to.deep.equal(content);
    for (const path of ['/p/kb/', '/p/kb//', '//kb/c', '/p/kb/c/d'])
      expect(matchOf(made, 'GET', path)).to.equal(undefined);
  });

  it("a fixed segment takes precedence over a parameter, unless only the parameter's route has the method", () => {
    expect(matchOf(made, 'POST', '/p/kb/multi')).to.include({ path: '/:project_id/kb/multi' });
    expect(matchOf(made, 'DELETE', '/p/kb/multi')).to.include({ content_id: 'multi' });
    expect(matchOf(made, 'GET', '/projects/kb')).to.include({ id: 'kb' });
    expect(matchOf(made, 'GET', '/projects/kb/c')).to.include({ project_id: 'projects', content_id: 'c' });
  });

  it('HEAD matches the GET route, and methodsAt lists the methods of a path', () => {
    expect(matchOf(made, 'HEAD', '/projects/1')).to.include({ id: '1' });
    expect(made.methodsAt('/p/kb/multi')).to.deep.equal(['POST', 'HEAD', 'GET', 'DELETE']);
    expect(made.methodsAt('/nothing')).to.deep.equal([]);
  });

  it('a path parameter is percent-decoded, and an invalid escape stays unchanged', () => {
    expect(matchOf(made, 'GET', '/projects/a%2Fb%20c')).to.include({ id: 'a/b c' });
    expect(matchOf(made, 'GET', '/projects/%E0%A4')).to.include({ id: '%E0%A4' });
  });
});
