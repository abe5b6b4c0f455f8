// Builds the packages for integrators in dist/packages, ready for `npm publish` or a Python build: `npm run packages` all,
// `npm run packages -- server-node` one.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildEmbed } from '../../packages/browser-sdk/build.ts'
import { buildCommandLine } from '../../packages/command-line/build.ts'
import { buildServerNode } from '../../packages/server-node/build.ts'
import { buildServerPython } from '../../packages/server-python/build.ts'
import { outdatedFiles } from './generated.ts'

const root = join(import.meta.dirname, '..', '..')
const tsc = join(root, 'node_modules', '.bin', 'tsc')

export interface PackageBuild {
  root: string
  /** The output directory; an npm package's README, licence and package.json are there already. */
  out: string
  /** Compiles sources to ES modules with type declarations; returns their directory, laid out like the sources. */
  compile(files: string[], options: string[]): string
}

const builders = {
  'browser-sdk': buildEmbed,
  'command-line': buildCommandLine,
  'server-python': buildServerPython,
  'server-node': buildServerNode,
}
type PackageName = keyof typeof builders
const packageNames = Object.keys(builders) as PackageName[]

/** Builds packages in `directory`, by default all. Throws if a committed generated file is outdated. */
export async function buildPackages(directory: string, names = packageNames): Promise<void> {
  const outdated = await outdatedFiles()
  if (outdated.length > 0) throw new Error(`${outdated.join(', ')}: outdated, run npm run client`)
  const compiled = mkdtempSync(join(tmpdir(), 'lendloom-packages-'))
  try {
    const compile: PackageBuild['compile'] = (files, options) => {
      const out = mkdtempSync(join(compiled, 'js-'))
      execFileSync(
        tsc,
        ['--ignoreConfig', ...compilerOptions, ...options, '--rootDir', '.', '--outDir', out, ...files],
        {
          cwd: root,
          stdio: ['ignore', 'inherit', 'inherit'],
        },
      )
      for (const path of globSync('**/*.d.ts', { cwd: out })) {
        const text = readFileSync(join(out, path), 'utf8')
        writeFileSync(join(out, path), text.replace(/(['"])(\.\/[\w-]+)\.ts\1/g, '$1$2.js$1'))
      }
      return out
    }
    for (const name of names) {
      const out = join(directory, name)
      rmSync(out, { recursive: true, force: true })
      if (name !== 'server-python') writeNpmPackage(out, name)
      await builders[name]({ root, out, compile })
    }
  } finally {
    rmSync(compiled, { recursive: true })
  }
}

/** No type checks, because `npm run types` makes them. */
const compilerOptions = [
  '--declaration',
  '--target',
  'es2022',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--noCheck',
  '--skipLibCheck',
  '--allowImportingTsExtensions',
  '--rewriteRelativeImportExtensions',
]

/** Creates the directory of an npm package, with the version of the repository. */
function writeNpmPackage(out: string, name: string): void {
  mkdirSync(join(out, 'dist'), { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name: title, ...rest } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ name: title, version, ...rest }, null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
  cpSync(join(root, 'packages', name, 'README.md'), join(out, 'README.md'))
}

if (import.meta.main) {
  const directory = join(root, 'dist', 'packages')
  const given = process.argv.slice(2)
  const names = packageNames.filter((name) => given.length === 0 || given.includes(name))
  if (names.length < given.length) throw new Error(`the packages are ${packageNames.join(', ')}`)
  await buildPackages(directory, names)
  for (const name of names) process.stdout.write(`${join(directory, name)}\n`)
}
