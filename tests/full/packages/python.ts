// Runs the machine's Python for tests of the Python package, which are skipped if a part is missing.
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const home = join(import.meta.dirname, '..', '..', '..', 'packages', 'server-python')

/** The first may be of a version manager, the second has the modules that apt-get installs. */
const pythons = ['python3', '/usr/bin/python3']

/** A Python of at least 3.9 with these modules, or the reason to skip a test that needs them. */
export function findPython(...modules: string[]): { python: string; skip: false } | { python: ''; skip: string } {
  const check = `import sys, importlib.util as found; assert sys.version_info >= (3, 9) and all(map(found.find_spec, ${JSON.stringify(modules)}))`
  const python = pythons.find((each) => {
    try {
      execFileSync(each, ['-c', check], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
  if (python !== undefined) return { python, skip: false }
  const packages = modules.map((each) => ` python3-${each}`)
  return { python: '', skip: `a part is missing: apt-get install python3${packages.join('')}` }
}

/** Runs Python in the package's folder and returns its output; by default with its sources on the path. */
export async function runPython(python: string, args: string[], env: Record<string, string> = { PYTHONPATH: 'src' }) {
  const fixed = { PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' }
  const options = { cwd: home, env: { ...process.env, ...fixed, ...env } }
  const { stdout, stderr } = await promisify(execFile)(python, args, options)
  return stdout + stderr
}
