// What is imported later loads in a fraction of the time: compiled once for all processes, and found without a search.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')
const sources = `${pathToFileURL(join(root, 'src')).href}/`

/** Compiled code is kept beside the packages, unless NODE_COMPILE_CACHE says where. */
export const compiledDirectory = join(root, 'node_modules', '.cache', 'lendloom', 'compiled')

/**
 * Called before the modules of a program are imported. Node keeps no compiled code unless asked, and looks for a package.json
 * in every folder above each module, which takes a third of the time of a start: an import that names its file needs neither.
 * A directory that cannot be written to is no error; the program then compiles its modules itself.
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

/** The file that an import of ours names, or a module of a package another of its own; undefined for what Node has to find. */
function fileNamed(specifier: string, importer: string | undefined): string | undefined {
  if (ours.test(specifier)) return sources + specifier.slice(1)
  if (importer?.startsWith('file:') && /^\.\.?\//.test(specifier)) return new URL(specifier, importer).href
  return undefined
}

/** As `imports` of package.json has them; `#test/…` is none that a program needs. */
const ours = /^#(?:kit|contract|platform|partner|sandbox|cli)\//
