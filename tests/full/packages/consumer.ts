// Installs a package of this repository into a new, empty app with npm, offline.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atProcessEnd } from '#test/setup/process-end.ts'
import { buildPackages } from '../../../tools/packages/build.ts'

const root = join(import.meta.dirname, '..', '..', '..')

let packageFolder: Promise<string> | undefined
/** Builds all packages on the first call in a process and returns their folder. */
export function buildPackagesOnce(): Promise<string> {
  packageFolder ??= (async () => {
    const directory = temporaryFolder('lendloom-packages-')
    await buildPackages(directory)
    return directory
  })()
  return packageFolder
}

/** Creates a folder that is removed when all test files of the process are done, because several of them may share it. */
export function temporaryFolder(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix))
  atProcessEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export interface Consumer {
  directory: string
  /** Sorted paths of the files in the tarball. */
  packedFiles: string[]
  write(path: string, content: string): void
  /** Links a package from this repository's node_modules into the app. */
  link(name: string): void
  /** Runs a module of the app with Node and returns its output. */
  run(file: string): string
  /** Type checks a file of the app. Throws an error with the compiler's messages. */
  check(file: string, options?: string[]): void
}

/** Packs the package and installs the tarball offline in a new app. */
export async function installPackage(name: string): Promise<Consumer> {
  const source = join(await buildPackagesOnce(), name)
  const directory = temporaryFolder('lendloom-app-')
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, npm_config_cache: join(directory, 'cache'), npm_config_loglevel: 'error' },
    })
  const [{ filename, files }] = JSON.parse(npm(['pack', '--json', '--pack-destination', directory], source))
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  write('package.json', '{ "name": "app", "private": true, "type": "module" }')
  npm(['install', `./${filename}`], directory)
  return {
    directory,
    packedFiles: files.map(({ path }: { path: string }) => path).sort(),
    write,
    link(dependency) {
      const target = join(directory, 'node_modules', dependency)
      mkdirSync(dirname(target), { recursive: true })
      symlinkSync(join(root, 'node_modules', dependency), target)
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
        throw new Error(`the type check failed: ${(error as { stdout?: string }).stdout}`)
      }
    },
  }
}
