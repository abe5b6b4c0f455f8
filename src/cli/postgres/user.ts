// PostgreSQL refuses to run as root: chooses its user, and gives that user access to its files.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface User {
  name: string
  uid: number
  gid: number
}

/** How to start a program as the server's user. `options` go to `spawn`. */
export interface Invocation {
  command: string
  args: string[]
  options: { uid?: number; gid?: number }
}

/**
 * The user that the server runs as; null for the current one. Root uses the owner of the existing data, or `postgres`,
 * or `nobody`. Throws when root owns the data or no such user exists.
 */
export function serverUser(directory: string): User | null {
  if (process.getuid?.() !== 0) return null
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map(user)
  const owner = statSync(directory, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0)
    return (
      users.find((known) => known?.uid === owner.uid) ?? { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid }
    )
  const chosen = users.find((known) => known?.name === 'postgres') ?? users.find((known) => known?.name === 'nobody')
  if (!chosen)
    throw new Error(
      'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as; ' +
        'start Lendloom as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own',
    )
  return chosen
}

function user(line: string): User | null {
  const [name, , uid, gid] = line.split(':')
  return name && uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null
}

/**
 * Runs `command` as `as`. Where that user may not pass a directory on the way to its files (a clone under /root, or in
 * a directory of mode 700), it gets the one missing capability and no other privilege of root.
 */
export function invocation(as: User | null, command: string, args: string[], files: string[]): Invocation {
  if (!as) return { command, args, options: {} }
  const closed = files.find((file) => !reachable(file, as))
  if (closed === undefined) return { command, args, options: { uid: as.uid, gid: as.gid } }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  if (!setpriv)
    throw new Error(
      `PostgreSQL does not run as root, and ${as.name} cannot reach ${closed}; put Lendloom where everybody may pass, ` +
        'install setpriv (util-linux), start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own',
    )
  const identity = [`--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups']
  const passing = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  // Without this bit, access(2), which initdb and postgres call for their own files, ignores capabilities.
  const flags = ['--securebits=+no_setuid_fixup']
  return { command: setpriv, args: [...identity, ...passing, ...flags, command, ...args], options: {} }
}

/** Whether the user may read the file and traverse every directory above it. A missing file is not an obstacle. */
function reachable(file: string, as: User): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile() && !may(found, as, 4)) return false
  for (let above = found?.isDirectory() ? file : dirname(file); ; above = dirname(above)) {
    const stat = statSync(above, { throwIfNoEntry: false })
    if (stat && !may(stat, as, 1)) return false
    if (dirname(above) === above) return true
  }
}

function may({ mode, uid, gid }: { mode: number; uid: number; gid: number }, as: User, bit: number): boolean {
  const shift = uid === as.uid ? 6 : gid === as.gid ? 3 : 0
  return ((mode >> shift) & bit) !== 0
}
