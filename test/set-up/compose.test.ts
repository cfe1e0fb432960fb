import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import { parse } from 'yaml';
import { z } from 'zod';
import { Settings } from '#shared/config.ts';

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
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const raw: unknown = parse(read('docker-compose.yml'), { merge: true });
const { services, volumes } = Compose.parse(raw);
const all = Object.values(services);

/** What the value is when the person who starts it sets nothing. */
const unset = (value: string) => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');

/** Lines of the Dockerfile that begin with a word, continued lines joined. */
const instructions = (word: string) =>
  read('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.startsWith(`${word} `));

/** What the native parts of libraries read by themselves. */
const NATIVE = /^(MALLOC|LANCE|ORT)_/;

const knownTo = (names: string[]) => names.filter((name) => !(name in Settings.shape));

describe('the containers', () => {
  it('are described as the Compose specification has it', () => {
    const ajv = new Ajv2019({
      strict: false,
      formats: { duration: true, expose: true, ports: true, subnet_ip_address: true },
    });
    // It names its dialect and its parts in words that ajv does not know.
    const schema = z
      .looseObject({})
      .parse(
        JSON.parse(read('test/data/compose-spec.json'), (key, value: unknown) =>
          typeof value === 'string' && ['id', '$schema'].includes(key) ? undefined : value,
        ),
      );
    const valid = ajv.compile(schema);
    expect(valid(raw), JSON.stringify(valid.errors)).to.equal(true);
    expect(valid({ services: { api: { imagine: 'node' } } })).to.equal(false);
  });

  it('are given settings that exist, with values they accept when nothing is set', () => {
    for (const { environment } of all) {
      expect(knownTo(Object.keys(environment))).to.deep.equal([]);
      const given = Object.entries(environment).map(([name, value]) => [name, unset(value)]);
      Settings.parse(Object.fromEntries(given.filter(([, value]) => value !== '')));
    }
    const inImage = instructions('ENV').flatMap((line) =>
      line
        .split(' ')
        .slice(1)
        .map((pair) => pair.split('=')[0] ?? ''),
    );
    expect(knownTo(inImage.filter((name) => !NATIVE.test(name)))).to.deep.equal([]);
    expect(inImage).to.include('EMBEDDING_MODEL_FILE');
  });

  it('take each setting a person may give from the variable of the same name', () => {
    const passed = all
      .flatMap(({ environment }) => Object.entries(environment))
      .filter(([, value]) => value.includes('$'));
    expect(passed).to.have.length.above(10);
    for (const [name, value] of passed) expect(value).to.match(new RegExp(`^\\$\\{${name}:-[^}]*\\}$`));
  });

  it('reach each other by name, and wait until the other is healthy', () => {
    for (const { environment, depends_on } of [services.api, services.workers].map((service) => service!)) {
      const hosts = ['MONGODB_URI', 'REDIS_URL', 'QDRANT_URL'].map((name) => new URL(environment[name] ?? '').hostname);
      expect(Object.keys(depends_on)).to.deep.equal(hosts);
      for (const host of hosts) {
        expect(services[host]?.healthcheck).to.be.an('object');
        expect(depends_on[host]?.condition).to.equal('service_healthy');
      }
    }
  });

  it('publish one port, on loopback', () => {
    expect(all.flatMap(({ ports }) => ports)).to.deep.equal(['127.0.0.1:3000:3000']);
  });

  it('leave workers free to be many', () => {
    expect(services.workers).to.include.keys('command').and.not.include.any.keys('container_name', 'hostname');
    expect(services.workers?.ports).to.deep.equal([]);
  });

  it('keep the database a replica set and Redis a keeper of jobs', () => {
    expect(services.mongodb?.command.join(' ')).to.include('--replSet rs0');
    expect(services.mongodb?.healthcheck).to.satisfy(({ test }: { test: string[] }) =>
      test.join(' ').includes("rs.initiate({ _id: 'rs0'"),
    );
    expect(services.redis?.command.join(' ')).to.include('--appendonly yes --maxmemory-policy noeviction');
  });

  it('keep what must outlive them in named volumes', () => {
    const used = all.flatMap(({ volumes: mounts }) => mounts.map((mount) => mount.split(':')[0] ?? ''));
    expect([...new Set(used)].toSorted()).to.deep.equal(Object.keys(volumes).toSorted());
  });

  it('copy into the image nothing that .dockerignore leaves out, and do not run as root', () => {
    const wanted = instructions('COPY')
      .filter((line) => !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    const letIn = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect([...new Set(wanted)].toSorted()).to.deep.equal(letIn.map((line) => line.slice(1)).toSorted());
    expect(instructions('USER')).to.deep.equal(['USER node']);
  });
});
