// Hosts simulated on this machine: a network namespace each, on a bridge that has a namespace of its own, so that nothing leaves it.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#cli/postgres/cluster.ts'
import { atEnd } from '../../bench/setup/at-end.ts'

export interface Host {
  name: string
  address: string
  /** Its network namespace. */
  namespace: string
  /** A directory of its own. */
  home: string
}

export interface Hosts {
  all: Host[]
  /** Starts a program there, as this user; what it prints goes to `<home>/<program>.log`. */
  start(host: Host, user: string, program: string, args: string[]): void
  /**
   * Takes its power: every process ends, and with its network what was on its way in its kernel. What was written to its
   * file systems stays.
   */
  crash(host: Host): void
  /** Gives it back; nothing runs there until it is started. */
  power(host: Host): void
  freeze(host: Host): void
  thaw(host: Host): void
  /** Pulls its cable: packets are neither taken nor sent, and nobody is told. */
  cut(host: Host): void
  mend(host: Host): void
  stop(): void
}

const prefix = 'lendloom-'
const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Needs root. `disks`: directories of each host that are file systems of their own, with their size in MiB. */
export function startHosts(names: string[], disks: Record<string, number> = {}): Hosts {
  removeAbandoned()
  const bridge = `${prefix}${process.pid}-switch`
  const home = mkdtempSync(join(tmpdir(), `${prefix}hosts-${process.pid}-`))
  chmodSync(home, 0o755)
  const stop = atEnd(() => remove(process.pid))
  ip('netns', 'add', bridge)
  ip('-n', bridge, 'link', 'add', 'br0', 'type', 'bridge')
  ip('-n', bridge, 'link', 'set', 'br0', 'up')
  const all = names.map((name, i): Host => {
    const host = {
      name,
      address: `10.77.0.${11 + i}`,
      namespace: `${prefix}${process.pid}-${name}`,
      home: join(home, name),
    }
    mkdirSync(host.home, { mode: 0o755 })
    plug(bridge, host)
    for (const [disk, mebibytes] of Object.entries(disks)) mount(join(host.home, disk), mebibytes)
    return host
  })
  const setCable = (host: Host, to: 'up' | 'down') => void ip('-n', bridge, 'link', 'set', portOf(host), to)
  const signal = (host: Host, name: NodeJS.Signals) => signalAll(pidsIn(host.namespace), name)
  return {
    all,
    start({ namespace, home }, user, program, args) {
      const log = openSync(join(home, `${program.split('/').at(-1)}.log`), 'a')
      const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
      spawn('ip', ['netns', 'exec', namespace, ...as, program, ...args], {
        cwd: home,
        detached: true,
        stdio: ['ignore', log, log],
        env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: home },
      }).unref()
      closeSync(log)
    },
    crash(host) {
      // The cable first: of processes that are killed, the kernel would still send what they have written.
      ip('-n', bridge, 'link', 'delete', portOf(host))
      endAll(host.namespace)
      ip('netns', 'delete', host.namespace)
    },
    power: (host) => plug(bridge, host),
    freeze: (host) => signal(host, 'SIGSTOP'),
    thaw: (host) => signal(host, 'SIGCONT'),
    cut: (host) => setCable(host, 'down'),
    mend: (host) => setCable(host, 'up'),
    stop,
  }
}

/** Of the bridge. */
const portOf = ({ name }: Host): string => `v-${name}`

function plug(bridge: string, host: Host): void {
  const { address, namespace } = host
  const port = portOf(host)
  ip('netns', 'add', namespace)
  ip('link', 'add', port, 'netns', bridge, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  ip('-n', bridge, 'link', 'set', port, 'master', 'br0', 'up')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'link', 'set', 'eth0', 'up')
  ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
}

function mount(directory: string, mebibytes: number): void {
  mkdirSync(directory)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'lendloom', directory])
}

const pidsIn = (namespace: string): number[] => ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)

function signalAll(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
}

/** Until nobody is left: who was about to start somebody has done so between the look and the blow. */
function endAll(namespace: string): void {
  for (let pids = pidsIn(namespace); pids.some(isAlive); pids = pidsIn(namespace)) signalAll(pids, 'SIGKILL')
}

const namespacesOf = (pid: number | string): string[] =>
  ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(`${prefix}${pid}-`))

/** Everything that the process of this id has made. */
function remove(pid: number): void {
  for (const namespace of namespacesOf(pid)) {
    endAll(namespace)
    ip('netns', 'delete', namespace)
  }
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(`${prefix}hosts-${pid}-`)) continue
    const home = join(tmpdir(), name)
    for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
      const at = line.split(' ')[1] ?? ''
      if (at.startsWith(`${home}/`)) execFileSync('umount', ['--lazy', at])
    }
    rmSync(home, { recursive: true, force: true })
  }
}

/** What a run that was itself killed has left behind. */
function removeAbandoned(): void {
  const makers = new Set(
    [
      ...ip('netns', 'list').matchAll(/^lendloom-(\d+)-/gm),
      ...readdirSync(tmpdir())
        .join('\n')
        .matchAll(/^lendloom-hosts-(\d+)-/gm),
    ].map(([, pid]) => Number(pid)),
  )
  for (const pid of makers) if (!isAlive(pid)) remove(pid)
}
