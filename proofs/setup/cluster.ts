// Three simulated database hosts: PostgreSQL under Patroni with etcd, and HAProxy in front of them on this machine.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@lendloom/tests/setup/platform'
import { Client } from 'pg'
import { atEnd } from '../../bench/setup/at-end.ts'
import { type Host, type Hosts, startHosts } from './hosts.ts'
import { until } from './until.ts'

export interface Cluster {
  hosts: Hosts
  members: Host[]
  /** URL of the maintenance database through HAProxy's port for the primary, with the programs' role. */
  url: string
  primary(): Promise<Host>
  synchronousStandby(): Promise<Host>
  /** Waits until there are a primary and two standbys that follow it. */
  whole(): Promise<void>
  /** Requests a planned switchover from Patroni. */
  switchOver(from: Host, to: Host): Promise<void>
  /** Boots a crashed host. */
  boot(host: Host): void
  /** Fills the file system of the host's data. */
  fillDisk(host: Host): void
  freeDisk(host: Host): void
  stop(): void
}

const binaries = '/usr/lib/postgresql/15/bin'
const packages = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql-15', 'iproute2', 'python3-psycopg2']
const needed = [
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  `${binaries}/postgres`,
  '/usr/sbin/ip',
  ...['etcd', 'psycopg2'].map((module) => `/usr/lib/python3/dist-packages/${module}`),
]

/** Returns what is missing to run a cluster here; null if nothing. */
export function missingParts(): string | null {
  const absent = needed.filter((path) => !existsSync(path))
  if (absent.length > 0) return `missing: ${absent.join(', ')}; apt-get install ${packages.join(' ')}`
  return process.getuid?.() === 0 ? null : 'root is required to create network namespaces'
}

const user = 'postgres'
const secret = 'of-a-cluster-that-is-thrown-away'
const dataMebibytes = 1536

interface ClusterAccess {
  hosts: Host[]
  synchronous: boolean
  /** HAProxy's port for the primary. */
  port: number
  /** HAProxy's ports for the Patroni of each host. */
  patroni: Map<Host, number>
}

/** `synchronous`: a commit is confirmed only once a standby has it. */
export async function startCluster({ synchronous }: { synchronous: boolean }): Promise<Cluster> {
  const hosts = startHosts(['n1', 'n2', 'n3', 'lb'], { data: dataMebibytes, etcd: 256 })
  const members = hosts.all.filter(({ name }) => name !== 'lb')
  const access: ClusterAccess = { hosts: members, synchronous, port: await freePort(), patroni: new Map() }
  let stopProxy = () => {}
  const stop = () => {
    stopProxy()
    hosts.stop()
  }
  const start = (host: Host) => {
    hosts.start(host, user, '/usr/bin/etcd', etcdArguments(host, members))
    hosts.start(host, user, '/usr/bin/patroni', [join(host.home, 'patroni.yml')])
  }
  try {
    for (const host of members) {
      access.patroni.set(host, await freePort())
      configure(host, access)
      start(host)
    }
    stopProxy = startProxy(hosts.all, access)
    const whole = () => until(() => isWhole(access), 'a primary has two standbys that follow it', 180)
    await whole()
    await administer(access, `create role lendloom login createdb password '${secret}'`)
    return {
      hosts,
      members,
      url: urlOf('lendloom', access),
      primary: () => hostThatIs('primary', access),
      synchronousStandby: () => hostThatIs('sync', access),
      whole,
      switchOver: (from, to) => switchOver(access, from, to),
      boot(host) {
        hosts.power(host)
        start(host)
      },
      fillDisk,
      freeDisk: (host) => rmSync(ballastOf(host)),
      stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

const urlOf = (role: string, { port }: ClusterAccess): string =>
  `postgresql://${role}:${secret}@127.0.0.1:${port}/postgres`

/**
 * Uses version 2 of etcd's API: with version 3, Patroni before 3.0.3 writes its leader key without comparing, so that a
 * reconnected former primary takes the role back and acknowledged data is lost.
 */
function etcdArguments({ name, address, home }: Host, members: Host[]): string[] {
  const peers = `http://${address}:2380`
  const clients = `http://${address}:2379`
  const cluster = members.map((member) => `${member.name}=http://${member.address}:2380`).join(',')
  const listening = [`--listen-peer-urls=${peers}`, `--listen-client-urls=${clients},http://127.0.0.1:2379`]
  const advertised = [`--initial-advertise-peer-urls=${peers}`, `--advertise-client-urls=${clients}`]
  const first = [`--initial-cluster=${cluster}`, '--initial-cluster-state=new', '--initial-cluster-token=lendloom']
  // Long timeouts, because everything shares two processors: an election only when a host is really gone.
  const patience = ['--heartbeat-interval=250', '--election-timeout=2500']
  return [
    `--name=${name}`,
    `--data-dir=${home}/etcd/data`,
    '--enable-v2=true',
    ...listening,
    ...advertised,
    ...first,
    ...patience,
  ]
}

/** Writes Patroni's configuration as JSON, which is valid YAML. */
function configure(host: Host, { hosts, synchronous }: ClusterAccess): void {
  const { name, address, home } = host
  const login = (username: string) => ({ username, password: secret })
  const parameters = {
    max_connections: 200,
    shared_buffers: '64MB',
    max_wal_size: '384MB',
    min_wal_size: '96MB',
    wal_keep_size: '128MB',
    wal_log_hints: 'on',
    fsync: 'on',
    synchronous_commit: 'on',
    // In the data directory, so that it is removed with it.
    dynamic_shared_memory_type: 'mmap',
    tcp_keepalives_idle: 10,
  }
  const dcs = {
    ttl: 20,
    loop_wait: 5,
    retry_timeout: 5,
    maximum_lag_on_failover: 1 << 30,
    synchronous_mode: synchronous,
    synchronous_mode_strict: synchronous,
    synchronous_node_count: 1,
    postgresql: { use_pg_rewind: true, use_slots: true, parameters },
  }
  const network = '10.77.0.0/24'
  const config = {
    scope: 'lendloom',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd: { hosts: hosts.map((each) => `${each.address}:2379`).join(',') },
    bootstrap: {
      dcs,
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: [
        `host replication replicator ${network} scram-sha-256`,
        `host all all ${network} scram-sha-256`,
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      // One port at the end: with a port behind each address the standbys would have none.
      listen: `${address},127.0.0.1:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(home, 'data', 'postgres'),
      bin_dir: binaries,
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('rewinder') },
      parameters: { unix_socket_directories: home },
      // A member that cannot be rewound is copied again automatically.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  }
  writeFileSync(join(home, 'patroni.yml'), JSON.stringify(config, null, 2))
  const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, user], { encoding: 'utf8' })))
  for (const path of [home, ...['data', 'etcd', 'patroni.yml'].map((each) => join(home, each))])
    chownSync(path, uid ?? 0, gid ?? 0)
}

/** Starts HAProxy on this machine; it connects to the hosts from the namespace `lb`. */
function startProxy(all: Host[], { hosts, port, patroni }: ClusterAccess): () => void {
  const own = all.find(({ name }) => name === 'lb')
  if (!own) throw new Error('there is a host for the balancer')
  const server = ({ name, address }: Host, at: number) => `server ${name} ${address}:${at} namespace ${own.namespace}`
  const lines = [
    'global\n  maxconn 2000',
    'defaults\n  mode tcp\n  timeout connect 2s\n  timeout check 2s\n  timeout client 1h\n  timeout server 1h',
    `listen primary\n  bind 127.0.0.1:${port}\n  option httpchk OPTIONS /primary\n  http-check expect status 200`,
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...hosts.map((host) => `  ${server(host, 5432)} check port 8008`),
    ...hosts.map((host) => `listen ${host.name}\n  bind 127.0.0.1:${patroni.get(host)}\n  ${server(host, 8008)}`),
  ]
  const file = join(own.home, 'haproxy.cfg')
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn('/usr/sbin/haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore', detached: true })
  child.unref()
  return atEnd(() => void child.kill('SIGKILL'))
}

/** Whether Patroni reports this role for a host. */
async function hasRole(access: ClusterAccess, host: Host, what: string): Promise<boolean> {
  try {
    const headers = { connection: 'close' }
    const signal = AbortSignal.timeout(2000)
    const { status } = await fetch(`${patroniAt(access, host)}/${what}`, { method: 'OPTIONS', headers, signal })
    return status === 200
  } catch {
    return false
  }
}

const patroniAt = ({ patroni }: ClusterAccess, host: Host): string => `http://127.0.0.1:${patroni.get(host)}`

async function hostThatIs(what: string, access: ClusterAccess): Promise<Host> {
  const found: Host[] = []
  await until(async () => {
    for (const host of access.hosts) if (await hasRole(access, host, what)) found.push(host)
    return found.length > 0
  }, `a host is ${what}`)
  const [host] = found
  if (!host) throw new Error(`no host is ${what}`)
  return host
}

async function isWhole(access: ClusterAccess): Promise<boolean> {
  const roles = ['primary', 'replica', ...(access.synchronous ? ['sync'] : [])]
  const expected = [1, 2, 1]
  for (const [i, role] of roles.entries()) {
    const answers = await Promise.all(access.hosts.map((host) => hasRole(access, host, role)))
    if (answers.filter(Boolean).length !== expected[i]) return false
  }
  try {
    const [row] = await administer(
      access,
      `select count(*)::int as following, count(*) filter (where sync_state = 'sync')::int as confirming
       from pg_stat_replication where state = 'streaming' and application_name like 'n_'`,
    )
    return row?.following === 2 && (!access.synchronous || row.confirming === 1)
  } catch {
    return false
  }
}

async function administer(access: ClusterAccess, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: urlOf('postgres', access), connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function switchOver(access: ClusterAccess, from: Host, to: Host): Promise<void> {
  const body = JSON.stringify({ leader: from.name, candidate: to.name })
  const answer = await fetch(`${patroniAt(access, from)}/switchover`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`the switchover was refused: ${await answer.text()}`)
}

const ballastOf = ({ home }: Host): string => join(home, 'data', 'ballast')

function fillDisk(host: Host): void {
  const file = ballastOf(host)
  const { status } = spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M', `count=${2 * dataMebibytes}`], {
    stdio: 'ignore',
  })
  if (status === 0 || statSync(file).size === 0) throw new Error(`the disk of ${host.name} is not full`)
}
