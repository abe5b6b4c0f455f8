// The file of `--out`, for what a command may print or reveal only once.
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { messageOf } from '@lendloom/foundation/thrown'
import { CannotRun } from './command.ts'

/**
 * Creates the file, readable by its owner alone, before `act` does or reveals something, and writes what `contentOf`
 * returns. Throws `CannotRun` if the file exists or cannot be created. If `act` fails, no file stays.
 */
export async function intoNewFile<Result>(
  path: string,
  act: () => Promise<Result>,
  contentOf: (result: Result) => string | Uint8Array,
): Promise<Result> {
  const file = createFile(path)
  try {
    const result = await act()
    writeFileSync(file, contentOf(result))
    return result
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function createFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    throw new CannotRun(`--out: the file cannot be created: ${messageOf(error)}`)
  }
}
