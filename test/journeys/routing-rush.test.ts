import { underRush } from '../support/routing-rush.ts';

describe('A thousand conversations at once', function () {
  this.timeout(120_000);

  it('fill twenty teammates to their limit, and the others are served oldest first as these are closed', () =>
    underRush());
});
