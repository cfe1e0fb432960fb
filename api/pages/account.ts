/** Where the links of our mails lead as long as no dashboard stands there: to confirm, to choose a password, to accept. */
import { ownAsset, type Page } from './page.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Your account</title>
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/assets/landing.css">
  <link rel="stylesheet" href="/assets/account.css">
</head>
<body>
  <main>
    <header>
      <img src="/assets/icon.svg" alt="" width="44" height="44">
      <h1>Your account</h1>
      <p id="about">…</p>
    </header>
    <form hidden></form>
    <p id="said" role="status"></p>
    <p><a href="#/forgotpassword">I forgot my password</a></p>
  </main>
  <script src="/assets/account.js"></script>
</body>
</html>
`;

/** The page and its files; what a link is for stands behind its `#`, which browsers keep to themselves. */
export const account: Page[] = [
  { path: '/account', type: 'text/html', render: () => ({ body: PAGE }) },
  ...['account.css', 'account.js'].map((name) => ownAsset(`/assets/${name}`, name)),
];
