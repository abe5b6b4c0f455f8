// Caches and batches of one process, created once and passed with the context.

import { branchesOf } from '#kit/files/ifsc.ts'
import { type Clamd, clamd, noScanner } from '#kit/files/malware.ts'
import { signInLimiter } from '#kit/http/sign-in-limit.ts'
import { type InboxDeps, inboxOf } from '#kit/messaging/inbox.ts'
import { openIdOf } from '#kit/staff/settings.ts'
import type { Context } from '#platform/context.ts'
import { consoleStaff, openIdReturnPath } from '#platform/staff/program.ts'

type MemoryMeans = InboxDeps & {
  config: { INBOX_LANES: number; CLAMD: Clamd | null; IFSC_FILE: string } & Parameters<typeof openIdOf>[0] &
    Parameters<typeof consoleStaff>[0]['config']
}

export const memoryOf = (
  means: MemoryMeans,
): Pick<Context, 'inbox' | 'signIns' | 'openId' | 'staff' | 'scanner' | 'branches'> => ({
  inbox: inboxOf(means),
  signIns: signInLimiter(),
  openId: openIdOf(means.config, means.config.PUBLIC_URL + openIdReturnPath),
  staff: consoleStaff(means),
  scanner: means.config.CLAMD ? clamd(means.config.CLAMD) : noScanner,
  branches: branchesOf(means.config.IFSC_FILE),
})
