// An empty app in a folder of its own, into which a package is installed as npm would, without a network.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildPackages } from '../../packages/build.ts'

const root = join(import.meta.dirname, '..', '..')

let built: Promise<string> | undefined
/** The packages, made once for the tests of a process. */
export function builtPackages(): Promise<string> {
  built ??= (async () => {
    const directory = temporary('lendloom-packages-')
    await buildPackages(directory)
    return directory
  })()
  return built
}

/** A folder that goes when the process ends: what several files share outlives the one that made it. */
export function temporary(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export interface Consumer {
  directory: string
  /** The files of the tarball, as npm lists them. */
  packed: string[]
  write(path: string, content: string): void
  /** Makes a package of this repository's node_modules known to the app. */
  link(name: string): void
  /** Runs Node with a module of the app; answers what it prints. */
  run(file: string): string
  /** Type checks a file of the app. Throws with what the compiler says. */
  check(file: string, options?: string[]): void
}

/** Packs the package, installs the tarball offline, and answers the app. */
export async function installed(name: string): Promise<Consumer> {
  const from = join(await builtPackages(), name)
  const directory = temporary('lendloom-app-')
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, npm_config_cache: join(directory, 'cache'), npm_config_loglevel: 'error' },
    })
  const [{ filename, files }] = JSON.parse(npm(['pack', '--json', '--pack-destination', directory], from))
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  write('package.json', '{ "name": "app", "private": true, "type": "module" }')
  npm(['install', `./${filename}`], directory)
  return {
    directory,
    packed: files.map(({ path }: { path: string }) => path).sort(),
    write,
    link(linked) {
      const to = join(directory, 'node_modules', linked)
      mkdirSync(dirname(to), { recursive: true })
      symlinkSync(join(root, 'node_modules', linked), to)
    },
    run: (file) => execFileSync(process.execPath, [file], { cwd: directory, encoding: 'utf8' }),
    check(file, options = []) {
      const args = [
        '--noEmit',
        '--skipDefaultLibCheck',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--module',
        'nodenext',
        ...options,
        file,
      ]
      try {
        execFileSync(join(root, 'node_modules', '.bin', 'tsc'), args, { cwd: directory, encoding: 'utf8' })
      } catch (error) {
        throw new Error(`the types do not fit: ${(error as { stdout?: string }).stdout}`)
      }
    },
  }
}
