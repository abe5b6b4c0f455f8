// Speeds up imports: compiled code is cached for all processes, and files are found without searching.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')
const sources = `${pathToFileURL(join(root, 'src')).href}/`

/** Compiled code is cached beside the packages, unless NODE_COMPILE_CACHE is set. */
export const compiledDirectory = join(root, 'node_modules', '.cache', 'lendloom', 'compiled')

/**
 * Called before a program imports its modules. By default Node caches no compiled code and searches every parent folder
 * of a module for package.json, a third of the start time; imports with a resolved file name need neither. With a
 * read-only directory the program compiles its modules on each start.
 */
export function quickenImports(): void {
  enableCompileCache(compiledDirectory)
  registerHooks({
    resolve(specifier, context, resolveNext) {
      const url = fileNamed(specifier, context.parentURL)
      if (url?.endsWith('.ts')) return { url, format: 'module-typescript', shortCircuit: true }
      if (url?.endsWith('.mjs')) return { url, format: 'module', shortCircuit: true }
      return resolveNext(specifier, context)
    },
  })
}

/**
 * The file of one of our imports, or of a package's import of its own module; undefined for imports that Node must
 * resolve.
 */
function fileNamed(specifier: string, importer: string | undefined): string | undefined {
  if (ours.test(specifier)) return sources + specifier.slice(1)
  if (importer?.startsWith('file:') && /^\.\.?\//.test(specifier)) return new URL(specifier, importer).href
  return undefined
}

/** As `imports` of package.json has them; `#test/…` is none that a program needs. */
const ours = /^#(?:kit|contract|platform|partner|sandbox|cli)\//
