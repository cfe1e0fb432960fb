/**
 * The page that emails link to if the installation has no dashboard: it verifies an address, sets a password or
 * accepts an invitation.
 */
import { ownAssetPage, type Page } from './page.ts';
import { pageHead } from './page-head.ts';

const ACCOUNT_HTML = `${pageHead({ title: 'Your account', styles: ['/assets/landing.css', '/assets/account.css'] })}
<body>
  <main>
    <header>
      <img src="/assets/icon.svg" alt="" width="44" height="44">
      <h1>Your account</h1>
      <p id="about">…</p>
    </header>
    <form hidden></form>
    <p id="message" role="status"></p>
    <p id="help" hidden><a href="#/forgotpassword">I forgot my password</a></p>
  </main>
  <script type="module" src="/assets/account.js"></script>
</body>
</html>
`;

/** The page and its files. The task and the secret of a link are in its fragment, which is not sent to the server. */
export const accountPages: Page[] = [
  { path: '/account', type: 'text/html', render: () => ({ body: ACCOUNT_HTML }) },
  ...['account.css', 'account.js'].map((name) => ownAssetPage(`/assets/${name}`, name)),
];
