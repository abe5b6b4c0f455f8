// Chooses the user of PostgreSQL, which refuses to run as root, and gives that user access to its files.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface User {
  name: string
  uid: number
  gid: number
}

/** How to start a program as the server's user: the arguments of `spawn`. */
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
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map(userIn)
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

function userIn(line: string): User | null {
  const [name, , uid, gid] = line.split(':')
  return name && uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null
}

/**
 * How to run a program as another user. If that user cannot reach one of the files, such as in a clone under /root, the
 * program gets the one missing capability of root and no other privilege.
 */
export function invocation(as: User | null, command: string, args: string[], files: string[]): Invocation {
  if (!as) return { command, args, options: {} }
  const unreachable = files.find((file) => !isReachable(file, as))
  if (unreachable === undefined) return { command, args, options: { uid: as.uid, gid: as.gid } }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))
  if (!setpriv)
    throw new Error(
      `PostgreSQL does not run as root, and ${as.name} cannot reach ${unreachable}; move Lendloom to a directory that every user can enter, ` +
        'install setpriv (util-linux), start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own',
    )
  const identity = [`--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups']
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  // initdb and postgres call access(2) for their own files, which ignores capabilities without this bit.
  const flags = ['--securebits=+no_setuid_fixup']
  return { command: setpriv, args: [...identity, ...capabilities, ...flags, command, ...args], options: {} }
}

/** Whether the user may read the file and traverse every directory above it. A missing file is not an obstacle. */
function isReachable(file: string, as: User): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile() && !hasPermission(found, as, 4)) return false
  for (let above = found?.isDirectory() ? file : dirname(file); ; above = dirname(above)) {
    const stat = statSync(above, { throwIfNoEntry: false })
    if (stat && !hasPermission(stat, as, 1)) return false
    if (dirname(above) === above) return true
  }
}

function hasPermission({ mode, uid, gid }: { mode: number; uid: number; gid: number }, as: User, bit: number): boolean {
  const shift = uid === as.uid ? 6 : gid === as.gid ? 3 : 0
  return ((mode >> shift) & bit) !== 0
}
