// What one process of the platform remembers and gathers for its requests: made once, and handed on with the context.

import { type Branches, branchesOf } from '#kit/files/ifsc.ts'
import { type Clamd, clamd, noScanner, type Scanner } from '#kit/files/malware.ts'
import type { OpenId } from '#kit/http/open-id.ts'
import { type SignInLimiter, signInLimiter } from '#kit/http/sign-in-limit.ts'
import { type Inbox, type InboxMeans, inboxOf } from '#kit/messaging/inbox.ts'
import type { Log } from '#kit/runtime/log.ts'
import { openIdOf } from '#kit/staff/settings.ts'
import { type WriteGroups, writeGroups } from '#platform/access/idempotency.ts'
import { type RequestCounts, requestCounts } from '#platform/access/rate-limit.ts'
import { type LiveFeed, liveFeed } from '#platform/console/live-feed.ts'
import { type FindPlace, placeFinder } from '#platform/exchange/known-case.ts'
import { type Partners, partnersOf } from '#platform/exchange/partners.ts'
import { type FindKnownLenders, findKnownLenders } from '#platform/figures/read/known-lenders.ts'
import { type UsualPayouts, usualPayouts } from '#platform/figures/read/payout.ts'
import { type SeeJourney, seeingTogether } from '#platform/headless/see-together.ts'
import { type SessionGroups, sessionGroups } from '#platform/hosted/store.ts'
import { type Directory, newDirectory } from '#platform/network/directory.ts'
import { type RequestLog, requestLog } from '#platform/request-log/request-log.ts'
import { type ConsoleStaff, consoleStaff, openIdReturnPath } from '#platform/staff/program.ts'

export interface Memory {
  /** How often callers have called. */
  requests: RequestCounts
  /** Idempotent writes that share a transaction. */
  writes: WriteGroups
  /** Sessions of new borrowers that share a statement. */
  sessions: SessionGroups
  /** Journeys that are polled together. */
  seeJourney: SeeJourney
  /** Finds where a case of the partner exchange belongs. */
  findPlace: FindPlace
  /** The lending partners. */
  partners: Partners
  /** How long lenders usually take until the money is there. */
  usualPayouts: UsualPayouts
  /** Which lenders of the network are known for a product. */
  knownLenders: FindKnownLenders
  /** What the registry has said. */
  directory: Directory
  /** Where the partner's events are stored. */
  inbox: Inbox
  /** How often somebody has tried to sign in to the console. */
  signIns: SignInLimiter
  /** Who looks at which journey in the console. */
  live: LiveFeed
  /** What integrators asked of the API. */
  requestLog: RequestLog
  /** With which provider people sign in to the console; null: with none. */
  openId: OpenId | null
  /** Who signs in to the console. */
  staff: ConsoleStaff
  /** Who looks at files that come with mail. */
  scanner: Scanner
  /** Which bank and branch an IFSC names. */
  branches: Branches
}

type MemoryMeans = InboxMeans & {
  log: Log
  config: {
    INBOX_LANES: number
    NETWORK_LOOKUP_CACHE_SECONDS: number
    REQUEST_LOG_DAYS: number
    CLAMD: Clamd | null
    IFSC_FILE: string
  } & Parameters<typeof openIdOf>[0] &
    Parameters<typeof consoleStaff>[0]['config']
}

export const memoryOf = (means: MemoryMeans): Memory => ({
  requests: requestCounts(),
  writes: writeGroups(),
  sessions: sessionGroups(),
  seeJourney: seeingTogether(means.db),
  findPlace: placeFinder(means.db),
  partners: partnersOf(means),
  usualPayouts: usualPayouts(means),
  knownLenders: findKnownLenders(means),
  directory: newDirectory(means.config),
  inbox: inboxOf(means),
  signIns: signInLimiter(),
  live: liveFeed(means),
  requestLog: requestLog(means),
  openId: openIdOf(means.config, means.config.PUBLIC_URL + openIdReturnPath),
  staff: consoleStaff(means),
  scanner: means.config.CLAMD ? clamd(means.config.CLAMD) : noScanner,
  branches: branchesOf(means.config.IFSC_FILE),
})
