import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { parse } from 'yaml';
import { z } from 'zod';
import { Settings } from '#shared/config.ts';
import { withNode } from '../../scripts/set-up/node.mjs';

const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).default({}),
      ports: z.array(z.string()).default([]),
      command: z.array(z.string()).default([]),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
      healthcheck: z.looseObject({}).optional(),
      volumes: z.array(z.string()).default([]),
      image: z.string().optional(),
      profiles: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

const readRepositoryFile = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const raw: unknown = parse(readRepositoryFile('docker-compose.yml'), { merge: true });
const { services, volumes } = Compose.parse(raw);
const allServices = Object.values(services);
/** The services that run the image of this repository. */
const ownServices = allServices.filter(({ image }) => image === 'support-chat');

/** Returns a value from docker-compose.yml with each variable replaced by its default. */
const defaultOf = (value: string) => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

/** Returns the instructions of the Dockerfile that begin with `word`, with their continuation lines joined. */
const instructions = (word: string) =>
  readRepositoryFile('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.startsWith(`${word} `));

/** Environment variables that Node.js and native parts of libraries read directly. */
const NATIVE_SETTING = /^(MALLOC|LANCE|ORT|NODE)_/;

const unknownSettings = (names: string[]) => names.filter((name) => !(name in Settings.shape));

describe('docker-compose.yml and Dockerfile', () => {
  it('docker-compose.yml is valid against the Compose specification', () => {
    const ajv = new Ajv2019({
      strict: false,
      formats: { duration: true, expose: true, ports: true, subnet_ip_address: true },
    });
    // Without `$schema` and `id`, whose values ajv does not support.
    const schema = z
      .looseObject({})
      .parse(
        JSON.parse(readRepositoryFile('test/data/compose-spec.json'), (key, value: unknown) =>
          typeof value === 'string' && ['id', '$schema'].includes(key) ? undefined : value,
        ),
      );
    const valid = ajv.compile(schema);
    expect(valid(raw), JSON.stringify(valid.errors)).to.equal(true);
    expect(valid({ services: { api: { imagine: 'node' } } })).to.equal(false);
  });

  it('containers receive only existing settings, with valid defaults', () => {
    for (const { environment } of ownServices) {
      expect(unknownSettings(Object.keys(environment))).to.deep.equal([]);
      const defaults = Object.entries(environment).map(([name, value]) => [name, defaultOf(value)]);
      Settings.parse(Object.fromEntries(defaults.filter(([, value]) => value !== '')));
    }
    const inImage = instructions('ENV').flatMap((line) =>
      line
        .split(' ')
        .slice(1)
        .map((pair) => pair.split('=')[0] ?? ''),
    );
    expect(unknownSettings(inImage.filter((name) => !NATIVE_SETTING.test(name)))).to.deep.equal([]);
    expect(inImage).to.include('EMBEDDING_MODEL_FILE');
  });

  it('the image configures V8 and native libraries as `npm start` does', () => {
    const inImage = instructions('ENV')
      .flatMap((line) => line.split(' ').slice(1))
      .filter((pair) => NATIVE_SETTING.test(pair));
    const { PATH: _, ...expected } = withNode('/node', {});
    expect(inImage).to.have.members(Object.entries(expected).map(([name, value]) => `${name}=${value}`));
  });

  it('containers take each setting from the environment variable of the same name', () => {
    const passed = ownServices
      .flatMap(({ environment }) => Object.entries(environment))
      .filter(([, value]) => value.includes('$'));
    expect(passed).to.have.length.above(10);
    for (const [name, value] of passed) expect(value).to.match(new RegExp(`^\\$\\{${name}:-[^}]*\\}$`));
  });

  it('containers reach the databases by the names of their services, and start when the databases are healthy', () => {
    for (const { environment, depends_on } of [services.api, services.workers].map((service) => service!)) {
      const hosts = ['MONGODB_URI', 'REDIS_URL', 'QDRANT_URL'].map((name) => new URL(environment[name] ?? '').hostname);
      expect(Object.keys(depends_on)).to.deep.equal(hosts);
      for (const host of hosts) {
        expect(services[host]?.healthcheck).to.be.an('object');
        expect(depends_on[host]?.condition).to.equal('service_healthy');
      }
    }
  });

  it('without profiles, the containers publish one port; all ports are on the loopback interface', () => {
    const inUse = allServices.filter(({ profiles }) => !profiles.length);
    expect(inUse.flatMap(({ ports }) => ports)).to.deep.equal(['127.0.0.1:3000:3000']);
    for (const port of allServices.flatMap(({ ports }) => ports)) expect(port).to.match(/^127\.0\.0\.1:/);
  });

  it('docker-compose.yml describes every profile, and every file that a container mounts exists', () => {
    const text = readRepositoryFile('docker-compose.yml');
    for (const profile of new Set(allServices.flatMap(({ profiles }) => profiles)))
      expect(text).to.include(`--profile ${profile}`);
    const files = allServices.flatMap((service) => service.volumes).filter((mount) => mount.startsWith('./'));
    expect(files).to.have.length(5);
    for (const mount of files) expect(readRepositoryFile(mount.split(':')[0] ?? '')).to.be.a('string');
  });

  it('the workers service can be scaled', () => {
    expect(services.workers).to.include.keys('command').and.not.include.any.keys('container_name', 'hostname');
    expect(services.workers?.ports).to.deep.equal([]);
  });

  it('MongoDB runs as a replica set, and Redis persists its data and evicts nothing', () => {
    expect(services.mongodb?.command.join(' ')).to.include('--replSet rs0');
    expect(services.mongodb?.healthcheck).to.satisfy(({ test }: { test: string[] }) =>
      test.join(' ').includes("rs.initiate({ _id: 'rs0'"),
    );
    expect(services.redis?.command.join(' ')).to.include('--appendonly yes --maxmemory-policy noeviction');
  });

  it('the containers use exactly the declared named volumes', () => {
    const used = allServices
      .flatMap(({ volumes: mounts }) => mounts.map((mount) => mount.split(':')[0] ?? ''))
      .filter((mount) => !mount.startsWith('./'));
    expect([...new Set(used)].toSorted()).to.deep.equal(Object.keys(volumes).toSorted());
  });

  it('the Dockerfile copies only what .dockerignore allows, and its container does not run as root', () => {
    const copiedFiles = instructions('COPY')
      .filter((line) => !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    const letIn = readRepositoryFile('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect([...new Set(copiedFiles)].toSorted()).to.deep.equal(letIn.map((line) => line.slice(1)).toSorted());
    expect(instructions('USER')).to.deep.equal(['USER node']);
  });
});
