import { expect } from 'chai';
import { assignClusters, type Cluster } from '#shared/domain/knowledge/question-log/assign-clusters.ts';

const vector = (...values: number[]) => Float32Array.from(values, (value) => value / Math.hypot(...values));
const aCluster = (id: string, more: Partial<Cluster> = {}): Cluster => ({
  ...{ id, question: `Question ${id}`, vector: vector(1, 0), weight: 1, ...more },
});
let ids = 0;
const assign = (questions: [string, Float32Array | null][], clusters: Cluster[]) =>
  assignClusters(
    questions.map(([question, each], index) => ({ id: `q${index}`, question, vector: each })),
    clusters,
    () => `new ${(ids += 1)}`,
  );

describe('Clusters of questions', () => {
  beforeEach(() => void (ids = 0));

  it('a question joins the nearest cluster, or starts a new one', () => {
    const clusters = [aCluster('a'), aCluster('b', { vector: vector(0, 1) })];
    const { clusterIds, changed } = assign(
      [
        ['near b', vector(1, 2)],
        ['near none', vector(-1, -1)],
        ['near the new one', vector(-1, -1.1)],
      ],
      clusters,
    );
    expect([...clusterIds.values()]).to.deep.equal(['b', 'new 1', 'new 1']);
    expect(clusters.map(({ id }) => id)).to.deep.equal(['a', 'b', 'new 1']);
    expect([...changed].map(({ id }) => id)).to.deep.equal(['b', 'new 1']);
  });

  it('the vector of a cluster is the mean of the vectors of its questions', () => {
    const cluster = aCluster('a', { weight: 3 });
    assign([['near', vector(2, 1)]], [cluster]);
    const expected = vector(3 + 2 / Math.sqrt(5), 1 / Math.sqrt(5));
    expect(cluster.weight).to.equal(4);
    for (const [index, value] of expected.entries()) expect(cluster.vector?.[index]).to.be.closeTo(value, 1e-6);
  });

  it('questions with the same words join one cluster, even without vectors', () => {
    const { clusterIds } = assign(
      [
        ['Where is my parcel?', null],
        ['where is  MY parcel', null],
        ['Where is my order?', null],
      ],
      [],
    );
    expect([...clusterIds.values()]).to.deep.equal(['new 1', 'new 1', 'new 2']);
  });
});
