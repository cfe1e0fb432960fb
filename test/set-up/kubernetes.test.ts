/** Checks the Kubernetes manifests against the Kubernetes schemas, and against this system's settings and queues. */
import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { Settings } from '#shared/config.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';

const FOLDER = 'deploy/kubernetes';
const readRepositoryFile = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const Manifest = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
const Kustomization = z.looseObject({ resources: z.array(z.string()) });
const Pods = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        containers: z.array(
          z.looseObject({ command: z.array(z.string()), ports: z.array(z.looseObject({ containerPort: z.number() })) }),
        ),
      }),
    }),
  }),
});
const Scaler = z.looseObject({
  spec: z.looseObject({
    scaleTargetRef: z.looseObject({ name: z.string() }),
    metrics: z.array(
      z.looseObject({ external: z.looseObject({ metric: z.looseObject({ name: z.string() }) }).optional() }),
    ),
  }),
});
const ConfigMap = z.looseObject({ data: z.record(z.string(), z.string()) });

const { resources } = Kustomization.parse(parse(readRepositoryFile(`${FOLDER}/kustomization.yaml`)));
const manifests = resources
  .flatMap((file) => parseAllDocuments(readRepositoryFile(`${FOLDER}/${file}`)))
  .map((document) => Manifest.parse(document.toJS()));
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment').map((manifest) => ({ ...manifest, ...Pods.parse(manifest) }));
const settings = ConfigMap.parse(ofKind('ConfigMap')[0]).data;

describe('Kubernetes manifests', () => {
  it('every manifest is valid against the schema of its kind, and a misspelt field makes it invalid', () => {
    const { kinds, $defs } = JSON.parse(readRepositoryFile('test/data/kubernetes-1.31.json'));
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    for (const manifest of manifests) {
      const valid = ajv.compile({ $defs, ...kinds[manifest.kind] });
      expect(valid(manifest), `${manifest.kind} ${manifest.metadata.name}: ${JSON.stringify(valid.errors)}`).to.equal(
        true,
      );
      expect(valid({ ...manifest, metdata: {} })).to.equal(false);
    }
    expect(new Set(manifests.map(({ kind }) => kind))).to.deep.equal(new Set(Object.keys(kinds)));
  });

  it('the settings in the ConfigMap exist and are valid', () => {
    expect(Object.keys(settings).filter((name) => !(name in Settings.shape))).to.deep.equal([]);
    Settings.parse(settings);
  });

  it('the workers together process every queue, and the port of each container is the one on which its process listens', () => {
    const commands = deployments.map(({ spec }) => spec.template.spec.containers[0]!);
    const queues = commands.flatMap(({ command }) => (command.includes('--queues') ? command.at(-1)!.split(',') : []));
    expect(queues.toSorted()).to.deep.equal([...QUEUE_NAMES, 'relay'].toSorted());
    const portOf = (command: string[]) =>
      command[1] === 'api/main.ts' ? Settings.parse({}).PORT : Number(settings.WORKER_METRICS_PORT);
    for (const { command, ports } of commands) expect(ports[0]?.containerPort).to.equal(portOf(command));
  });

  it('a pod has at least 30 seconds to stop', () => {
    for (const { spec } of deployments) expect(spec.template.spec.terminationGracePeriodSeconds).to.be.at.least(30);
  });

  it('each deployment has a disruption budget and an autoscaler; all metrics that the autoscalers read exist', () => {
    const names = deployments.map(({ metadata }) => metadata.name);
    expect(ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name)).to.deep.equal(names);
    const scalers = ofKind('HorizontalPodAutoscaler').map((manifest) => Scaler.parse(manifest).spec);
    expect(scalers.map(({ scaleTargetRef }) => scaleTargetRef.name)).to.deep.equal(names);
    const metrics = scalers.flatMap((scaler) => scaler.metrics.flatMap(({ external }) => external?.metric.name ?? []));
    const declared = readRepositoryFile('api/pages/instance-metrics.ts');
    expect(metrics).to.have.length(5);
    for (const metric of metrics) expect(declared).to.include(`'${metric}'`);
  });
});
