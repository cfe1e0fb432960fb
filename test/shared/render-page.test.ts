import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { closeBrowser, renderPage } from '#shared/crawl/render-page.ts';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { findBrowserOrSkip } from '../support/browser.ts';
import { aSite } from '../support/fake-site.ts';
import { times } from '../support/fleet-fixture.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';

/** The address of a browser that accepts connections but does not answer; `end` closes the connections. */
const aSilentBrowser = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  const port = await listenOnUnusedPort(server);
  const end = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address: `ws://127.0.0.1:${port}/`, end };
};

describe('Pages that wait for the browser', () => {
  it('a waiting page whose signal is aborted is rejected immediately, and leaves the queue', async () => {
    const { address, end } = await aSilentBrowser();
    Object.assign(config, { BROWSER: address });
    const codes: string[] = [];
    const render = async (signal = AbortSignal.timeout(30_000)): Promise<unknown> =>
      renderPage({ url: 'https://example.com/', body: Buffer.from(''), contentType: '', signal }).catch(
        (error: AppError) => {
          codes.push(error.code);
          return error;
        },
      );
    try {
      const rendered = times(config.BROWSER_PAGES, () => render());
      const abort = new AbortController();
      const [aborted, next] = [render(abort.signal), render()];
      abort.abort(new AppError(408, 'ABORTED', 'aborted'));
      await aborted;
      expect(codes).to.deep.equal(['ABORTED']);
      end();
      await Promise.all([...rendered, next]);
      expect(codes.slice(1)).to.deep.equal(times(config.BROWSER_PAGES + 1, () => 'BROWSER_UNAVAILABLE'));
    } finally {
      end();
      Object.assign(config, { BROWSER: undefined });
    }
  });
});

describe('Rendering of pages in a browser', () => {
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async function () {
    this.timeout(60_000);
    Object.assign(config, { BROWSER: await findBrowserOrSkip(this) });
    site = await aSite();
  });
  after(async () => {
    await closeBrowser();
    Object.assign(config, { BROWSER: undefined });
    await site?.close();
  });

  const render = (html: string, more: { waitSeconds?: number; signal?: AbortSignal } = {}) =>
    renderPage({
      url: site.url('/app'),
      body: Buffer.from(html),
      contentType: 'text/html',
      signal: AbortSignal.timeout(30_000),
      ...more,
    });

  it('scripts add text that they fetch, and images are not loaded', async function () {
    this.timeout(60_000);
    site.pages['/app.js'] = {
      headers: { 'content-type': 'text/javascript' },
      body: "fetch('/data.json').then((r) => r.json()).then(({ text }) => { document.querySelector('main').textContent = text; });",
    };
    site.pages['/data.json'] = { headers: { 'content-type': 'application/json' }, body: '{"text":"We open at nine."}' };
    const html = await render('<main>Loading</main><img src="/a.png"><script src="/app.js"></script>');
    expect(html).to.include('We open at nine.');
    expect(site.hits.get('/a.png')).to.equal(undefined);
  });

  it('a page cannot reach private addresses, open another page, send POST requests or open sockets', async function () {
    this.timeout(60_000);
    const script = `fetch('http://169.254.169.254/latest').then(() => document.title = 'reached', () => document.title = 'blocked');
      fetch('/post', { method: 'POST', body: 'x' }).catch(() => document.body.append('no post'));
      new WebSocket('ws://127.0.0.1:9/').onclose = () => document.body.append('no socket');
      setTimeout(() => { location.href = 'http://127.0.0.1:9/elsewhere'; }, 50);`;
    const html = await render(`<title>start</title><body><script>${script}</script></body>`, { waitSeconds: 1 });
    expect(html).to.include('<title>blocked</title>').and.to.include('no post').and.to.include('no socket');
    expect(site.hits.get('/post')).to.equal(undefined);
  });

  it('an aborted rendering ends, and the next page is rendered', async function () {
    this.timeout(60_000);
    const aborted = await render('<body></body>', { waitSeconds: 20, signal: AbortSignal.timeout(1000) }).catch(
      (error: Error) => error,
    );
    expect((aborted as Error).name).to.equal('TimeoutError');
    expect(await render('<p>Still works</p>')).to.include('Still works');
  });
});
