// This module's background work: transfers, debits, the bank's lists, claims.
import type { Worker } from '#kit/messaging/queue.ts'
import type { Context } from '#partner/context.ts'
import { introducingAgents } from './arrears/introduce.ts'
import { notingReminders, sendingReminders } from './arrears/remind.ts'
import { decidingPromises } from './arrears/store.ts'
import { cancellingMandates, cancellingOfClosed } from './cancel-mandate.ts'
import { verifyingClaims } from './claim.ts'
import { beginCollecting, collectingCases, collectingDue } from './collect-due.ts'
import { refunding } from './order-refund.ts'
import { presenting } from './present.ts'
import { beginReadingBank, readingBank } from './read-bank.ts'
import { lapsingSteps } from './stop.ts'
import { transferring } from './transfer.ts'

/** Starts them all. Debits are looked for every day only while rules decide; otherwise a person calls `collectDue`. */
export async function collecting(ctx: Context): Promise<Worker[]> {
  await Promise.all([beginReadingBank(ctx), beginCollecting(ctx)])
  return [
    transferring(ctx),
    refunding(ctx),
    cancellingMandates(ctx),
    cancellingOfClosed(ctx),
    lapsingSteps(ctx),
    presenting(ctx),
    readingBank(ctx),
    verifyingClaims(ctx),
    collectingDue(ctx),
    collectingCases(ctx),
    decidingPromises(ctx),
    notingReminders(ctx),
    sendingReminders(ctx),
    introducingAgents(ctx),
  ]
}
