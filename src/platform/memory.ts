// The parts of the context that a process creates once, such as limiters, clients and the scanner.

import { branchesOf } from '#kit/files/ifsc.ts'
import { type Clamd, clamd, noScanner } from '#kit/files/malware.ts'
import { signInLimiter } from '#kit/http/sign-in-limit.ts'
import { type InboxDeps, inboxOf } from '#kit/messaging/inbox.ts'
import { openIdOf } from '#kit/staff/settings.ts'
import { archiveObjects } from '#platform/archive/settings.ts'
import type { Context } from '#platform/context.ts'
import { consoleStaff, openIdReturnPath } from '#platform/staff/program.ts'

type MemoryDeps = InboxDeps & {
  config: { INBOX_LANES: number; CLAMD: Clamd | null; IFSC_FILE: string } & Parameters<typeof openIdOf>[0] &
    Parameters<typeof consoleStaff>[0]['config'] &
    Parameters<typeof archiveObjects>[0]
}

export const memoryOf = (
  deps: MemoryDeps,
): Pick<Context, 'inbox' | 'signIns' | 'openId' | 'staff' | 'scanner' | 'branches' | 'archive'> => ({
  inbox: inboxOf(deps),
  signIns: signInLimiter(),
  openId: openIdOf(deps.config, deps.config.PUBLIC_URL + openIdReturnPath),
  staff: consoleStaff(deps),
  scanner: deps.config.CLAMD ? clamd(deps.config.CLAMD) : noScanner,
  archive: archiveObjects(deps.config),
  branches: branchesOf(deps.config.IFSC_FILE),
})
