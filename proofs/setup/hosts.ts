// Hosts simulated on this machine as network namespaces on an isolated bridge.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '@lendloom/cli/src/postgres/cluster.ts'
import { atEnd } from '../../bench/setup/at-end.ts'

export interface Host {
  name: string
  address: string
  namespace: string
  /** The host's directory. */
  home: string
}

export interface Hosts {
  all: Host[]
  /** Starts a program on a host as this user, with output in `<home>/<program>.log`. */
  start(host: Host, user: string, program: string, args: string[]): void
  /**
   * Simulates a power cut: ends every process and drops data in network buffers. Written files remain.
   */
  crash(host: Host): void
  /** Restores the network of a crashed host; programs must be started again. */
  power(host: Host): void
  freeze(host: Host): void
  thaw(host: Host): void
  /** Disconnects the network cable: packets are dropped silently. */
  cut(host: Host): void
  mend(host: Host): void
  stop(): void
}

const prefix = 'lendloom-'
const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Needs root. `disks` are directories of each host that become separate file systems, with sizes in MiB. */
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
      // The cable first, because the kernel would still send data of killed processes.
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

/** Name of the host's port on the bridge. */
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
      // The process has already ended.
    }
}

/** Repeats until no process is left, because a process may fork between listing and kill. */
function endAll(namespace: string): void {
  for (let pids = pidsIn(namespace); pids.some(isAlive); pids = pidsIn(namespace)) signalAll(pids, 'SIGKILL')
}

const namespacesOf = (pid: number | string): string[] =>
  ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(`${prefix}${pid}-`))

/** Removes everything that the process with this id has created. */
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

/** Removes leftovers of killed runs. */
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
