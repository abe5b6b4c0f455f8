// The Python of this machine, for the tests of the Python package: they are skipped where there is none.
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const home = join(import.meta.dirname, '..', '..', 'packages', 'server-python')

/** Why tests of the Python package cannot run; null when they can. */
export function lacksPython(): string | null {
  try {
    const version = execFileSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))'], {
      encoding: 'utf8',
    })
    return version.trim() === 'True' ? null : 'python3 is older than 3.9'
  } catch {
    return 'there is no python3'
  }
}

/** Runs Python with the package importable; answers what it prints. Throws with what it complained about. */
export async function python(args: string[], env: Record<string, string> = {}): Promise<string> {
  const options = {
    cwd: home,
    env: { ...process.env, ...env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
  }
  const { stdout, stderr } = await promisify(execFile)('python3', args, options)
  return stdout + stderr
}
