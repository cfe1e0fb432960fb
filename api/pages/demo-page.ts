/** The demo: a visitor's chat next to the team's inbox. It uses only the public API. */
import { ownAssetPage, type Page } from './page.ts';
import { pageHead } from './page-head.ts';

const FILES = [
  ...['demo.css', 'main.js', 'api.js', 'composer.js', 'elements.js'],
  ...['inbox.js', 'live-socket.js', 'message-list.js', 'typing.js', 'visitor.js'],
];

const CLIP =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M8 12l6-6a3 3 0 0 1 5 4l-8 8a5 5 0 0 1-7-7l8-8"/></svg>';

const composer = (label: string): string => `
        <form>
          <label><span class="hidden-text">${label}</span><input type="text" placeholder="${label}" autocomplete="off" maxlength="5000"></label>
          <label class="attach"><span class="hidden-text">Attach a file</span><input type="file">${CLIP}</label>
          <button>Send</button>
          <p role="alert"></p>
        </form>`;

const DEMO_HTML = `${pageHead({ title: 'Demo – Support chat', styles: ['/assets/landing.css', '/assets/account.css', '/assets/demo/demo.css'] })}
<body class="demo">
  <main>
    <header>
      <img src="/assets/icon.svg" alt="" width="28" height="28">
      <h1>Demo</h1>
      <nav id="windows" aria-label="Windows" hidden>
        <a id="visitor-window" target="_blank">Another visitor</a>
        <a href="#inbox" target="_blank">Another inbox</a>
      </nav>
    </header>
    <form id="signin">
      <p>Sign in as a teammate. <code>npm start</code> prints the account on its first run.</p>
      <label>Email address<input name="email" type="email" value="owner@example.com" autocomplete="username" required></label>
      <label>Password<input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
      <p role="alert"></p>
    </form>
    <div class="panes" hidden inert>
      <section class="visitor" aria-labelledby="visitor-title">
        <h2 id="visitor-title">A visitor's chat</h2>
        <div class="conversation">
          <span></span>
          <ol aria-label="Messages of the visitor's chat" aria-live="polite" tabindex="0"></ol>
          <p class="typing" role="status"></p>
          <div class="end" hidden></div>${composer('Your question')}
        </div>
      </section>
      <section class="empty" aria-labelledby="inbox-title">
        <h2 id="inbox-title">The team's inbox</h2>
        <div class="inbox">
          <ul class="conversations" aria-label="Conversations"></ul>
          <div class="conversation">
            <header>
              <h3></h3><span class="presence"></span>
              <button type="button" class="join">Join</button><button type="button" class="close">Close</button>
            </header>
            <ol aria-label="Messages of the selected conversation" aria-live="polite" tabindex="0"></ol>
            <p class="typing" role="status"></p>${composer('Your reply')}
          </div>
        </div>
      </section>
    </div>
  </main>
  <script type="module" src="/assets/demo/main.js"></script>
</body>
</html>
`;

/** The page and its files. */
export const demoPages: Page[] = [
  { path: '/demo', type: 'text/html', render: () => ({ body: DEMO_HTML }) },
  ...FILES.map((name) => ownAssetPage(`/assets/demo/${name}`, `demo/${name}`)),
];
