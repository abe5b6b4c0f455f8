// The parts of the context that a process creates once, such as limiters, clients and the scanner.

import { type InboxDeps, inboxOf } from '@lendloom/event-log/inbox'
import { type Clamd, clamd, noScanner } from '@lendloom/files/malware'
import { signInLimiter } from '@lendloom/http/sign-in-limit'
import { openIdOf } from '@lendloom/identity/open-id-settings'
import { branchesOf } from '@lendloom/lending/ifsc'
import { archiveObjects } from '#platform/records/archive/settings.ts'
import type { Context } from './context.ts'
import { consoleStaff, openIdReturnPath } from './people/console-staff.ts'

type MemoryDeps = InboxDeps & {
  config: { INBOX_LANES: number; CLAMD: Clamd | null; IFSC_FILE: string } & Parameters<typeof openIdOf>[0] &
    Parameters<typeof consoleStaff>[0]['config'] &
    Parameters<typeof archiveObjects>[0]
}

export const processPartsOf = (
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
