// podman with a private store, and a base image from this machine's Debian mirror and Node, without an image registry.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { atEnd } from '../../bench/setup/at-end.ts'
import { directoryFor } from './server.ts'

const packages = { podman: '/usr/bin/podman', runc: '/usr/sbin/runc', mmdebstrap: '/usr/bin/mmdebstrap' }

export function podmanMissing(): string | null {
  const absent = Object.entries(packages).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))
  if (absent.length > 0) return `without ${absent.join(', ')}: apt-get install podman runc mmdebstrap`
  return process.getuid?.() === 0 ? null : 'root is required to create a root directory'
}

interface CommandResult {
  code: number
  /** Standard output. */
  out: string
  /** Standard output and error. */
  all: string
}

export interface Podman {
  directory: string
  run(...args: string[]): Promise<CommandResult>
  /** Returns standard output; throws with the last lines of output on failure. */
  must(...args: string[]): Promise<string>
  /** Ends every container and removes everything. */
  stop(): void
}

/** Runs a command; it ends with the proof, including its child processes. */
async function runCommand(command: string, args: string[]): Promise<CommandResult> {
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let isRunning = true
  const done = atEnd(() => {
    if (isRunning) killGroup(child)
  })
  try {
    const result: CommandResult = { code: -1, out: '', all: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      result.out += text
      result.all += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => (result.all += text))
    const [code] = await once(child, 'close')
    return { ...result, code: code ?? -1 }
  } finally {
    isRunning = false
    done()
  }
}

function killGroup({ pid }: { pid?: number | undefined }): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has just ended by itself.
  }
}

async function must(command: string, args: string[]): Promise<string> {
  const { code, out, all } = await runCommand(command, args)
  if (code === 0) return out
  throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${all.trim().split('\n').slice(-15).join('\n')}`)
}

/** Opens podman without systemd. Without overlayfs every layer is a copy, which takes far more space and time. */
export function openPodman(): Podman {
  const { directory, remove } = directoryFor('podman')
  const own = [
    '--root',
    join(directory, 'store'),
    '--runroot',
    join(directory, 'run'),
    '--tmpdir',
    join(directory, 'tmp'),
  ]
  const kind = ['--cgroup-manager', 'cgroupfs', '--runtime', packages.runc, '--storage-driver']
  const isOverlaid = spawnSync(packages.podman, [...own, ...kind, 'overlay', 'info'], { stdio: 'ignore' }).status === 0
  kind.push(isOverlaid ? 'overlay' : 'vfs')
  const stop = atEnd(() => {
    for (const each of [
      ['rm', '--all', '--force', '--time', '0'],
      ['image', 'umount', '--all'],
    ])
      spawnSync(packages.podman, [...own, ...kind, ...each], { stdio: 'ignore' })
    remove()
  })
  return {
    directory,
    run: (...args) => runCommand(packages.podman, [...own, ...kind, ...args]),
    must: (...args) => must(packages.podman, [...own, ...kind, ...args]),
    stop,
  }
}

/** Resource limits for containers that may not raise their own. */
export const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']

/** Creates the image in which the Containerfile builds: a minimal Debian with this machine's Node and npm. */
export async function importBuildBase(podman: Podman, name: string): Promise<void> {
  const root = join(podman.directory, 'build')
  await must(packages.mmdebstrap, ['--variant=minbase', 'trixie', root])
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  const modules = join(root, 'usr/local/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  // The npm command is a link to `bin/npm-cli.js` in its package.
  const command = realpathSync((await must('/bin/sh', ['-c', 'command -v npm'])).trim())
  cpSync(dirname(dirname(command)), join(modules, 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  await configureNpm(root)
  const archive = `${root}.tar`
  await must('/usr/bin/tar', ['-C', root, '-cf', archive, '.'])
  await podman.must('import', archive, name)
}

/** The packages of distroless/cc, from the same archive of Debian. */
const distroless = 'base-files,ca-certificates,libc6,libgcc-s1,libssl3t64,libstdc++6,netbase,tzdata'

/** Creates the image in which the programs run, without shell and package manager. */
export async function importRunBase(podman: Podman, name: string): Promise<void> {
  const archive = join(podman.directory, 'run.tar')
  await must(packages.mmdebstrap, ['--variant=extract', `--include=${distroless}`, 'trixie', archive])
  await podman.must('import', archive, name)
}

const npm = async (...args: string[]): Promise<string> => (await must('npm', args)).split('\n')[0]?.trim() ?? ''

/** Configures npm with this machine's registry and its trusted authorities. */
async function configureNpm(root: string): Promise<void> {
  const named = await npm('config', 'get', 'cafile')
  const authority = existsSync(named) ? named : '/etc/ssl/certs/ca-certificates.crt'
  const settings = [`registry=${await npm('config', 'get', 'registry')}`]
  if (existsSync(authority)) {
    const place = '/usr/local/etc/npm-authority.pem'
    mkdirSync(dirname(join(root, place)), { recursive: true })
    copyFileSync(authority, join(root, place))
    settings.push(`cafile=${place}`)
  }
  mkdirSync(join(root, 'usr/local/etc'), { recursive: true })
  writeFileSync(join(root, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`)
}
