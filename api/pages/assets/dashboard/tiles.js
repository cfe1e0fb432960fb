/** The tiles at the top of the dashboard, which show numbers of the whole period. */
import { element } from '../demo/elements.js';
import { TILES } from './figures.js';

const number = ([value, format]) => element('data', { value: value ?? '' }, format(value));

/** Creates a tile. Its `show` receives the rows of each of its paths. */
const createTile = ({ id, title, paths, values, note = () => [] }) => {
  const value = element('b', {}, '…');
  const small = element('small', {});
  const created = element('li', { id: `tile-${id}` }, element('span', {}, title), value, small);
  const show = (...rows) => {
    const [first, ...rest] = values(...rows).map(number);
    value.replaceChildren(first);
    small.replaceChildren(...note(...rest));
  };
  return { paths, created, show };
};

/** Creates all tiles. */
export const createTiles = () => TILES.map(createTile);
