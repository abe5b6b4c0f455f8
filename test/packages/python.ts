// Runs the machine's Python for tests of the Python package, which are skipped if python3 is missing or too old.
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const home = join(import.meta.dirname, '..', '..', 'packages', 'server-python')

/** The reason to skip tests of the Python package; null if they can run. */
export function pythonSkipReason(): string | null {
  try {
    const version = execFileSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))'], {
      encoding: 'utf8',
    })
    return version.trim() === 'True' ? null : 'python3 is older than 3.9'
  } catch {
    return 'python3 is not installed'
  }
}

/** Runs Python with the package on its path and returns its output. Throws when Python fails. */
export async function runPython(args: string[], env: Record<string, string> = {}): Promise<string> {
  const options = {
    cwd: home,
    env: { ...process.env, ...env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
  }
  const { stdout, stderr } = await promisify(execFile)('python3', args, options)
  return stdout + stderr
}
